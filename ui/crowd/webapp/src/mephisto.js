/* mephisto-task 2.0.4 with more patience. As it comes, a connection that is away for 20 seconds is given up
   for good and the page is dead; and what a reload gives again is drawn again. */
import React from "react";
import * as real from "../node_modules/mephisto-task/build/bundle.js";

export * from "../node_modules/mephisto-task/build/bundle.js";

const NEVER = 1e12;
const PATIENCE = {
  heartbeatTime: 3000,
  refreshSocketMissedResponses: 3,
  routerDeadTimeout: NEVER,
  connectionDeadMephistoPing: NEVER,
};

function usePatientSocket({ onConnectionStatusChange, ...others }) {
  return real.useMephistoSocket({
    ...others,
    config: PATIENCE,
    onConnectionStatusChange: (status) =>
      onConnectionStatusChange(
        status === real.CONNECTION_STATUS.FAILED ? real.CONNECTION_STATUS.DISCONNECTED : status
      ),
  });
}

export function useMephistoLiveTask({ onLiveUpdate, ...others }) {
  const seen = React.useRef(new Set());
  return real.useMephistoLiveTask({
    ...others,
    customConnectionHook: usePatientSocket,
    onLiveUpdate: (message) => {
      if (message.update_id !== undefined && seen.current.has(message.update_id)) {
        return;
      }
      seen.current.add(message.update_id);
      onLiveUpdate(message);
    },
  });
}
