import { isOrderEvent } from "./order-events.ts";

/**
 * The message of an event of a change, by the change's id: its own id and its body.
 * @param at the change's, as the API shows it. @param data as JSON
 */
export function messageOfChange({ id, at, event, data }: { id: string; at: string; event: string; data: string }): {
  id: string;
  body: string;
} {
  return {
    id: isOrderEvent(event) ? `${id}.${event}` : id,
    body: `{"type":${JSON.stringify(event)},"timestamp":"${at}","data":${data}}`,
  };
}
