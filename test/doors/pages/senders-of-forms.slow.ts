import { startServer } from "../../harness.ts";
import { testSendersOfForms } from "./senders-of-forms.ts";

const server = await startServer();
await testSendersOfForms(server, await server.createTenant(), "all");
