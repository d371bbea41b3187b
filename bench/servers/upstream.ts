/**
 * The upstream of the benches: it answers every request with the same kilobyte, or as the prompt's plan says, in the
 * form of the request's path. It supports only the HTTP needed for that, to leave the cores to the measured server.
 */
import { createServer, type Socket } from 'node:net'
import { readPlan, sharedNowMs, type Account, type Plan } from '../plan.ts'
import { tellReady } from './ready.mjs'
import { chatForm, messagesForm, pieceText, type UpstreamForm } from './upstream-answers.ts'

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

/** The end of the first request; -1 while it is incomplete. */
function requestEnd(text: string): number {
  const headersEnd = text.indexOf('\r\n\r\n')
  if (headersEnd === -1) return -1
  const length = /^content-length: *(\d+)/im.exec(text.slice(0, headersEnd))?.[1] ?? '0'
  const end = headersEnd + 4 + Number(length)
  return end <= text.length ? end : -1
}

function answer(socket: Socket, request: string): void {
  const form = request.startsWith('POST /v1/messages') ? messagesForm : chatForm
  const plan = request.includes('(bench ') ? readPlan(request) : null
  const isStreamed = request.includes('"stream":true')
  if (!isStreamed && !plan) {
    socket.write(form.wholeAnswer)
    return
  }
  const { pieces, everyMs, tag } = plan ?? wholePlan
  const hasUsage = request.includes('"include_usage":true')
  if (isStreamed && everyMs === 0) {
    socket.write(streamAtOnce(form, pieces, hasUsage))
    return
  }
  const account = tag === null ? null : openAccount(socket, tag)
  const sendPiece = (text: string, isLast: boolean) => {
    socket.write(text)
    account?.sent(isLast)
  }
  if (isStreamed) sendAtIntervals({ socket, form, pieces, everyMs, hasUsage, sendPiece })
  else sendLater({ socket, form, everyMs, sendPiece })
}

type SendPiece = (text: string, isLast: boolean) => void

/** The first piece is sent with the head, the end with the last piece. */
function sendAtIntervals(sending: {
  socket: Socket
  form: UpstreamForm
  pieces: number
  everyMs: number
  hasUsage: boolean
  sendPiece: SendPiece
}): void {
  const { socket, form, pieces, everyMs, hasUsage, sendPiece } = sending
  let number = 0
  const sendNext = () => {
    const isLast = number === pieces - 1
    const head = number === 0 ? form.streamHead : ''
    const end = isLast ? form.streamEnd(pieces, hasUsage) : ''
    sendPiece(head + form.streamPiece(pieceText(number, sharedNowMs())) + end, isLast)
    number += 1
    if (isLast) stopSending()
  }
  const timer = setInterval(sendNext, everyMs)
  const stopSending = () => {
    clearInterval(timer)
    socket.off('close', stopSending)
  }
  socket.once('close', stopSending)
  sendNext()
}

function sendLater(sending: {
  socket: Socket
  form: UpstreamForm
  everyMs: number
  sendPiece: SendPiece
}): void {
  const { socket, form, everyMs, sendPiece } = sending
  const stopWaiting = () => clearTimeout(timer)
  const timer = setTimeout(() => {
    socket.off('close', stopWaiting)
    sendPiece(form.wholeAnswer, true)
  }, everyMs)
  socket.once('close', stopWaiting)
}

const madeStreams = new Map<UpstreamForm, Map<string, Buffer>>()

/** A whole stream, created once because its pieces contain no time. */
function streamAtOnce(form: UpstreamForm, pieces: number, hasUsage: boolean): Buffer {
  const made = madeStreams.get(form) ?? new Map<string, Buffer>()
  madeStreams.set(form, made)
  const key = `${pieces} ${hasUsage}`
  const known = made.get(key)
  if (known) return known
  const texts = Array.from({ length: pieces }, (_, index) => form.streamPiece(pieceText(index, 0)))
  const { streamHead, streamEnd } = form
  const stream = Buffer.from(streamHead + texts.join('') + streamEnd(pieces, hasUsage))
  made.set(key, stream)
  return stream
}

/** Reports a request to the bench once: when everything is sent, or when the connection closed before. */
function openAccount(socket: Socket, tag: string): { sent(isLast: boolean): void } {
  const sentAtMs: number[] = []
  const tell = (isWhole: boolean) => {
    socket.off('close', onClose)
    const account: Account = { tag, sentAtMs, isWhole, endedAtMs: sharedNowMs() }
    process.send?.(account)
  }
  const onClose = () => tell(false)
  socket.once('close', onClose)
  return {
    sent: (isLast) => {
      sentAtMs.push(sharedNowMs())
      if (isLast) tell(true)
    },
  }
}
