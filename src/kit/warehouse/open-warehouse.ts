import type { Network } from "../../platform/network.ts";
import { createHttpWarehouse } from "./http-warehouse.ts";
import type { WarehouseClient } from "./warehouse-client.ts";

/** Bytes. */
const ANSWER_MAX = 1024 * 1024;
/** The connections for look-ups and pings, in addition to those of orders being sent. */
const MORE_CONNECTIONS = 4;

type Options = {
  /** LIAISON_WMS_URL. */
  url: string | null;
  privateNetworks: readonly Network[];
  timeoutSeconds: number;
  /** Orders that one WMS is sent at the same time. */
  concurrency: number;
};

export type Warehouse = {
  client: WarehouseClient;
  /** Aborts the calls under way. */
  close(): Promise<void>;
};

/**
 * The access to every company's WMS, from the operator's settings; null if LIAISON_WMS_URL is unset. The HTTP client is
 * a third of the code of a command, so it is loaded at the first call.
 */
export async function openWarehouse(options: Options, areCallsHeld: () => Promise<boolean>): Promise<Warehouse | null> {
  const { url, privateNetworks, timeoutSeconds, concurrency } = options;
  if (url === null) return null;
  const { openHttpClient } = await import("../../platform/outbound/http-client.ts");
  const timeoutMs = timeoutSeconds * 1_000;
  const connectionsPerHost = concurrency + MORE_CONNECTIONS;
  const http = openHttpClient({
    to: "warehouse",
    privateNetworks,
    timeoutMs,
    maxAnswer: ANSWER_MAX,
    connectionsPerHost,
    areCallsHeld,
  });
  return { client: createHttpWarehouse(http, url, timeoutMs), close: () => http.close() };
}
