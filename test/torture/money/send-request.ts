/** Sends one request of a mix through its door, and leaves when the mix says so. */
import { fetch, type Agent } from 'undici'
import { laterFieldsOf } from './later-fields.ts'
import type { DrawnRequest } from './mix.ts'

export interface Caller {
  /** `http://localhost:…/api/router/<id>/` */
  routerUrl: string
  key: string
  dispatcher: Agent
  embeddingModel: string | null
  agent: string
  /** Called when it leaves before the end of the answer. */
  left(mark: string): void
}

/** Far more than every time limit of a mix. */
const longestMs = 30_000

/** @returns the status, `left`, or `hung` after half a minute */
export async function sendRequest(caller: Caller, request: DrawnRequest): Promise<string> {
  const leave = new AbortController()
  const { leaving, mark } = request
  let isDone = false
  const go = () => {
    if (isDone) return
    caller.left(mark)
    leave.abort()
  }
  const hung = setTimeout(() => leave.abort('hung'), longestMs)
  const timer =
    leaving !== null && 'afterMs' in leaving ? setTimeout(go, leaving.afterMs) : undefined
  try {
    const answer = await fetch(...callOf(caller, request, leave.signal))
    let pieces = 0
    if (answer.body === null) return String(answer.status)
    const reader = answer.body.getReader()
    while (!(await reader.read()).done) {
      pieces += 1
      if (leaving !== null && 'afterPieces' in leaving && pieces === leaving.afterPieces) go()
    }
    return String(answer.status)
  } catch {
    if (leave.signal.reason === 'hung') return 'hung'
    return leave.signal.aborted ? 'left' : 'broken off'
  } finally {
    isDone = true
    clearTimeout(hung)
    clearTimeout(timer)
  }
}

function callOf(
  { routerUrl, key, dispatcher, embeddingModel, agent }: Caller,
  request: DrawnRequest,
  signal: AbortSignal,
): Parameters<typeof fetch> {
  const { path, body } = bodyOf(request, { embeddingModel, agent })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-modelport-tag': request.mark,
  }
  return [
    new URL(path, routerUrl),
    { method: 'POST', dispatcher, signal, headers, body: JSON.stringify(body) },
  ]
}

interface Written {
  path: string
  body: object
}

function bodyOf(
  request: DrawnRequest,
  { embeddingModel, agent }: Pick<Caller, 'embeddingModel' | 'agent'>,
): Written {
  const { door, prompt, isStreamed: stream, maxTokens } = request
  const limit = (name: string) => (maxTokens === null ? {} : { [name]: maxTokens })
  const { parts, fields } = laterFieldsOf(door, request.later)
  const textOr = (type: string) =>
    parts.length === 0 ? prompt : [{ type, text: prompt }, ...parts]
  switch (door) {
    case 'chat': {
      const n = request.choices === 1 ? {} : { n: request.choices }
      const messages = [{ role: 'user', content: textOr('text') }]
      const body = { model: 'auto', messages, stream, ...limit('max_tokens'), ...n, ...fields }
      return { path: 'v1/chat/completions', body }
    }
    case 'agent': {
      const messages = [{ role: 'user', content: prompt }]
      return { path: 'v1/chat/completions', body: { model: `agent:${agent}`, messages, stream } }
    }
    case 'completions':
      return {
        path: 'v1/completions',
        body: { model: 'auto', prompt, stream, ...limit('max_tokens'), ...fields },
      }
    case 'responses': {
      const content = textOr('input_text')
      const input = typeof content === 'string' ? content : [{ role: 'user', content }]
      const body = { model: 'auto', input, stream, store: false, ...limit('max_output_tokens') }
      return { path: 'v1/responses', body: { ...body, ...fields } }
    }
    case 'messages':
      return { path: 'v1/messages', body: messagesBody(request) }
    case 'gemini':
      return geminiCall(request)
    case 'embeddings':
      return {
        path: 'v1/embeddings',
        body: { model: embeddingModel, input: [prompt, `${prompt} again`] },
      }
  }
}

/** The form requires a limit. */
function messagesBody({
  prompt,
  isStreamed,
  maxTokens,
  hasCacheMark,
  later,
}: DrawnRequest): object {
  const mark = hasCacheMark ? { cache_control: { type: 'ephemeral' } } : {}
  const { parts, fields } = laterFieldsOf('messages', later)
  const content = [{ type: 'text', text: prompt, ...mark }, ...parts]
  const messages = [{ role: 'user', content }]
  return { model: 'auto', messages, stream: isStreamed, max_tokens: maxTokens ?? 1_000, ...fields }
}

function geminiCall({ prompt, isStreamed, maxTokens, later }: DrawnRequest): Written {
  const method = isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const generationConfig = maxTokens === null ? {} : { maxOutputTokens: maxTokens }
  const { parts, fields } = laterFieldsOf('gemini', later)
  const contents = [{ role: 'user', parts: [{ text: prompt }, ...parts] }]
  return { path: `v1beta/models/auto:${method}`, body: { contents, generationConfig, ...fields } }
}
