import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set(); // in production: a table with a unique id

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    event = webhook.verify(Buffer.concat(chunks), request.headers);
  } catch {
    return response.writeHead(400).end();
  }
  if (!seen.has(event.id)) console.log(event.type, event.subject);
  seen.add(event.id);
  response.writeHead(204).end();
}).listen(process.env.PORT);
