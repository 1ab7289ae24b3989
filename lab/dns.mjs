import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
/** Answer, recursion desired and available. */
const ANSWERED = 0x8180;
const TXT = 16;

/** Answers questions for TXT records of this machine's domains, and for nothing else. */
export class LabDns {
  #socket = createSocket('udp4');
  #records = new Map();

  static async start() {
    const dns = new LabDns();
    dns.#socket.on('message', (question, { port, address }) =>
      dns.#socket.send(dns.#answer(question), port, address),
    );
    dns.#socket.bind(0, '127.0.0.1');
    await once(dns.#socket, 'listening');
    return dns;
  }

  get address() {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  add(name, text) {
    this.#records.set(name, text);
  }

  async stop() {
    await new Promise((resolve) => this.#socket.close(resolve));
  }

  /** Answers the first question of a message (RFC 1035, section 4). */
  #answer(message) {
    const labels = [];
    let at = HEADER_BYTES;
    for (let length = message[at]; length > 0; length = message[at]) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const asked = message.readUInt16BE(at + 1);
    const text = asked === TXT ? this.#records.get(labels.join('.').toLowerCase()) : undefined;
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2); // id
    header.writeUInt16BE(ANSWERED, 2);
    header.writeUInt16BE(1, 4); // questions
    header.writeUInt16BE(text === undefined ? 0 : 1, 6); // answers
    return Buffer.concat([header, message.subarray(HEADER_BYTES, at + 5), recordOf(text)]);
  }
}

function recordOf(text) {
  if (text === undefined) return Buffer.alloc(0);
  const value = Buffer.from(text, 'latin1');
  const record = Buffer.alloc(HEADER_BYTES + 1);
  record.writeUInt16BE(0xc000 + HEADER_BYTES, 0); // the name of the question
  record.writeUInt16BE(TXT, 2);
  record.writeUInt16BE(1, 4); // class IN
  record.writeUInt32BE(60, 6); // TTL in seconds
  record.writeUInt16BE(value.length + 1, 10);
  record[HEADER_BYTES] = value.length;
  return Buffer.concat([record, value]);
}
