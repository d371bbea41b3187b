/**
 * The upstream of the benches: answers every request with the same kilobyte, or as its prompt plans, and
 * knows no more of HTTP than that takes, so that it leaves the cores to what is measured.
 */
import { createServer, type Socket } from 'node:net'
import { readPlan, sharedNowMs, type Account, type Plan } from '../plan.ts'
import { tellReady } from './ready.ts'
import { streamEnd, streamHead, streamPiece, wholeAnswer } from './upstream-answers.ts'

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy())
  answerEach(socket)
})
server.listen(0, '127.0.0.1', () => tellReady(server))

const wholePlan: Plan = { pieces: 1, everyMs: 0, tag: null }

function answerEach(socket: Socket): void {
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    for (let end = requestEnd(received); end !== -1; end = requestEnd(received)) {
      answer(socket, received.slice(0, end))
      received = received.slice(end)
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

function answer(socket: Socket, request: string): void {
  const plan = request.includes('(bench ') ? readPlan(request) : null
  const isStreamed = request.includes('"stream":true')
  if (!isStreamed && !plan) {
    socket.write(wholeAnswer)
    return
  }
  const { pieces, everyMs, tag } = plan ?? wholePlan
  const hasUsage = request.includes('"include_usage":true')
  if (isStreamed && everyMs === 0) {
    socket.write(streamAtOnce(pieces, hasUsage))
    return
  }
  const steps = isStreamed ? streamSteps(pieces, hasUsage) : [() => '', () => wholeAnswer]
  const end = tag === null ? () => {} : accountFor(socket, tag, steps.length)
  send({ socket, steps, everyMs, end })
}

const madeStreams = new Map<string, Buffer>()

/** A whole stream, made once: its pieces bear no time. */
function streamAtOnce(pieces: number, hasUsage: boolean): Buffer {
  const key = `${pieces} ${hasUsage}`
  const made = madeStreams.get(key)
  if (made) return made
  const texts = Array.from({ length: pieces }, (_, index) => streamPiece(index, 0))
  const stream = Buffer.from(streamHead + texts.join('') + streamEnd(pieces, hasUsage))
  madeStreams.set(key, stream)
  return stream
}

/** The first piece goes with the head, the end with the last. */
function streamSteps(pieces: number, hasUsage: boolean): (() => string)[] {
  return Array.from({ length: pieces }, (_, index) => () => {
    const head = index === 0 ? streamHead : ''
    const end = index === pieces - 1 ? streamEnd(pieces, hasUsage) : ''
    return head + streamPiece(index, sharedNowMs()) + end
  })
}

interface Sending {
  socket: Socket
  steps: readonly (() => string)[]
  everyMs: number
  /** Called after each step with how many are sent. */
  end: (sent: number) => void
}

function send({ socket, steps, everyMs, end }: Sending): void {
  let sent = 0
  const sendNext = () => {
    const text = steps[sent]?.() ?? ''
    if (text !== '') socket.write(text)
    sent += 1
    end(sent)
    if (sent >= steps.length) stopSending()
  }
  const timer = setInterval(sendNext, everyMs)
  const stopSending = () => {
    clearInterval(timer)
    socket.off('close', stopSending)
  }
  socket.once('close', stopSending)
  sendNext()
}

/** Tells the bench once what became of the request: when all is sent, or the connection closed before. */
function accountFor(socket: Socket, tag: string, steps: number): (sent: number) => void {
  let pieces = 0
  const tell = (isWhole: boolean) => {
    socket.off('close', onClose)
    const account: Account = { tag, pieces, isWhole, endedAtMs: sharedNowMs() }
    process.send?.(account)
  }
  const onClose = () => tell(false)
  socket.once('close', onClose)
  return (sent) => {
    pieces = sent
    if (sent === steps) tell(true)
  }
}
