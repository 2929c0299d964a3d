import React from "react";
import ReactDOM from "react-dom";
import { ChatApp } from "bootstrap-chat";
import Card from "./card.jsx";
import Instructions from "./instructions.jsx";
import Response from "./response.jsx";
import "./page.css";

const isCard = (message) => Boolean(message.task_data?.card);

function App() {
  const [cards, setCards] = React.useState([]);
  const last = cards[cards.length - 1];
  return (
    <ChatApp
      defaultAppSettings={{ volume: 0 }}
      onMessagesChange={(messages) => setCards(messages.filter(isCard))}
      renderSidePane={({ mephistoContext }) => (
        <Instructions html={mephistoContext.taskConfig.task_description} card={last?.task_data.card} />
      )}
      renderMessage={({ message }) => {
        if (isCard(message)) {
          const place = cards.findIndex((c) => c.update_id === message.update_id);
          const card = message.task_data.card;
          if (cards[place + 1]?.task_data.card.version === card.version) {
            return null; // the next one shows the same steps
          }
          return (
            <Card
              key={message.update_id}
              card={card}
              latest={message.update_id === last?.update_id}
            />
          );
        }
        return message.task_data?.act ? (
          <p key={message.update_id} className="said">
            {message.text}
          </p>
        ) : null;
      }}
      renderResponse={({ onMessageSend, mephistoContext }) => (
        <Response message={last} onMessageSend={onMessageSend} mephisto={mephistoContext} />
      )}
    />
  );
}

ReactDOM.render(<App />, document.getElementById("app"));
