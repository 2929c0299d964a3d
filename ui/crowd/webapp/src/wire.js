import React from "react";

const AGAIN_MS = 15000;

/* Sends what the worker does, again and again under the same name until the answer is there: the other side
   does everything once. After a cut the page asks for what it has missed. */
export default function useWire({ message, onMessageSend, mephisto }) {
  const [waiting, setWaiting] = React.useState(null);
  const was = React.useRef("");
  const answered = waiting !== null && message?.update_id !== waiting.after;
  const busy = waiting !== null && !answered;
  const connected = mephisto.connectionStatus === "connected";

  React.useEffect(() => {
    if (answered) {
      setWaiting(null);
    }
  }, [answered]);

  React.useEffect(() => {
    if (connected && was.current === "away") {
      mephisto.sendLiveUpdate(busy ? { ...waiting.said } : { task_data: { sync: true } });
    }
    if (connected || was.current) {
      was.current = connected ? "connected" : "away";
    }
  }, [connected]);

  React.useEffect(() => {
    if (!busy || !connected) {
      return undefined;
    }
    const timer = window.setInterval(() => mephisto.sendLiveUpdate({ ...waiting.said }), AGAIN_MS);
    return () => window.clearInterval(timer);
  }, [busy, connected, waiting]);

  function send(act, text) {
    const said = { update_id: name(), text, task_data: { act } };
    setWaiting({ said, after: message.update_id });
    onMessageSend(said);
  }
  return { send, busy, away: was.current !== "" && !connected };
}

function name() {
  const random = new Uint8Array(16);
  window.crypto.getRandomValues(random);
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
