/** The upstream of the benches: answers every chat with the same kilobyte, as fast as Node can. */
import { createServer } from 'node:http'
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
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(200, headers).end(body))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => tellReady(server))
