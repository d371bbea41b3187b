/**
 * The upstream of the benches: answers every request with the same kilobyte, and knows no more of HTTP
 * than that takes, so that it leaves the cores to what is measured.
 */
import { createServer, type Socket } from 'node:net'
import { tellReady } from './ready.ts'

const body = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'An answer of some length. '.repeat(25) },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 150, total_tokens: 162 },
})
const answer = [
  'HTTP/1.1 200 OK',
  'content-type: application/json',
  `content-length: ${Buffer.byteLength(body)}`,
  '',
  body,
].join('\r\n')

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy())
  answerEach(socket)
})
server.listen(0, '127.0.0.1', () => tellReady(server))

function answerEach(socket: Socket): void {
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    for (let end = requestEnd(received); end !== -1; end = requestEnd(received)) {
      received = received.slice(end)
      socket.write(answer)
    }
  })
}

/** Where the first request ends; -1 while it is not all there. */
function requestEnd(text: string): number {
  const headersEnd = text.indexOf('\r\n\r\n')
  if (headersEnd === -1) return -1
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, headersEnd))?.[1] ?? '0'
  const end = headersEnd + 4 + Number(length)
  return end <= text.length ? end : -1
}
