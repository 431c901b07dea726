// Shows in Askdeck what OpenCode asks, next to OpenCode's own prompt. The first answer counts.
// Written by `askdeck install`, and removed by `askdeck uninstall`.

import { spawn } from "node:child_process";

const PROGRAM = {program};
const EVENT = /^(?:permission|question)\.(?:v2\.)?(asked|replied|rejected)$/;

export const Askdeck = async ({ client, directory }) => {
  // What each open request is asked with.
  const open = new Map();
  // What waits for a session to stop.
  const stopping = new Map();

  // Of many tools a permission does not say what they are given; the conversation does.
  const given = async (session, tool) => {
    if (!tool) return null;
    const path = { id: session, messageID: tool.messageID };
    const { data } = await client.session.message({ path });
    return data?.parts.find((part) => part.callID === tool.callID)?.state?.input ?? null;
  };

  // While a session stops, it takes a message but does not read it.
  const stopped = (session) =>
    new Promise((resolve) => {
      stopping.set(session, resolve);
      setTimeout(resolve, 5000);
    });

  const run = (asking, event) =>
    new Promise((resolve, reject) => {
      const hook = spawn(PROGRAM, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] });
      asking.stop = () => hook.kill("SIGTERM");
      let output = "";
      hook.stdout.setEncoding("utf8").on("data", (text) => (output += text));
      hook.on("error", reject).on("close", () => resolve(output));
      hook.stdin.on("error", reject).end(JSON.stringify(event));
    });

  const ask = async (type, request) => {
    const asking = { stop: () => (asking.over = true), over: false };
    open.set(request.id, asking);
    try {
      const input = await given(request.sessionID, request.tool ?? request.source).catch(() => null);
      if (asking.over) return;
      const output = await run(asking, {
        hook_event_name: type,
        session_id: request.sessionID,
        cwd: directory,
        request,
        tool_input: input,
      });
      const headers = { "Content-Type": "application/json" };
      const requests = output ? JSON.parse(output).requests : [];
      // It may have stopped before the first request is answered.
      const stop = requests.some((next) => next.once_stopped) && stopped(request.sessionID);
      for (const { path, body, once_stopped } of requests) {
        if (once_stopped) await stop;
        // A request that was answered in the terminal takes no other answer, and no words about one.
        const { error } = await client._client.post({ url: path, body, headers });
        if (error) break;
      }
    } finally {
      open.delete(request.id);
    }
  };

  return {
    event: async ({ event }) => {
      const request = event.properties ?? event.data;
      const what = EVENT.exec(event.type)?.[1];
      if (what === "asked" && !open.has(request.id)) {
        // OpenCode does not wait for it. If it fails, there is still OpenCode's own prompt.
        ask(event.type, request).catch(() => {});
      } else if (what === "replied" || what === "rejected") {
        open.get(request.requestID)?.stop();
      } else if (event.type === "session.idle") {
        stopping.get(request.sessionID)?.();
        stopping.delete(request.sessionID);
      }
    },
  };
};
