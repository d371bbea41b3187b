/**
 * Parts and fields by which a request makes its vendor bill more than its text, in the form of each door. What a name
 * stands for is a number of tokens, which the mock reads from it.
 */
export const doors = [
  'chat',
  'completions',
  'responses',
  'messages',
  'gemini',
  'embeddings',
  'agent',
] as const
export type Door = (typeof doors)[number]

/** What is asked for, and its amount: tokens behind a name, answers or searches. */
export interface Later {
  kind: LaterKind
  amount: number
}

export type LaterKind =
  | 'image'
  | 'document'
  | 'file'
  | 'stored'
  | 'answers'
  | 'search'
  | 'unlimited search'
  | 'inference in the US'

export interface LaterFields {
  parts: readonly object[]
  fields: object
}

type Forms = Readonly<Partial<Record<LaterKind, (amount: number) => LaterFields>>>

const part = (value: object): LaterFields => ({ parts: [value], fields: {} })
const field = (fields: object): LaterFields => ({ parts: [], fields })
const nameOf = (tokens: number) => `billed-${tokens}-tokens`
const addressOf = (tokens: number, ending: string) =>
  `https://files.example/${nameOf(tokens)}.${ending}`
const googlesFiles = 'https://generativelanguage.googleapis.com/v1beta/files'
const messagesSearch = { type: 'web_search_20250305', name: 'web_search' }
const responsesSearch = { tools: [{ type: 'web_search' }] }

const forms: Readonly<Record<Door, Forms>> = {
  chat: {
    image: (tokens) => part({ type: 'image_url', image_url: { url: addressOf(tokens, 'png') } }),
    document: (tokens) => part({ type: 'file', file: { file_url: addressOf(tokens, 'pdf') } }),
    file: (tokens) => part({ type: 'file', file: { file_id: `file-${nameOf(tokens)}` } }),
    answers: (best_of) => field({ best_of }),
    'unlimited search': () => field(responsesSearch),
  },
  completions: { answers: (count) => field({ n: count, best_of: count }) },
  responses: {
    image: (tokens) => part({ type: 'input_image', image_url: addressOf(tokens, 'png') }),
    document: (tokens) => part({ type: 'input_file', file_url: addressOf(tokens, 'pdf') }),
    file: (tokens) => part({ type: 'input_file', file_id: `file-${nameOf(tokens)}` }),
    stored: (tokens) => field({ previous_response_id: `resp_${nameOf(tokens)}` }),
    search: (max_tool_calls) => field({ ...responsesSearch, max_tool_calls }),
    'unlimited search': () => field(responsesSearch),
  },
  messages: {
    image: (tokens) => part({ type: 'image', source: linked(addressOf(tokens, 'png')) }),
    document: (tokens) => part({ type: 'document', source: linked(addressOf(tokens, 'pdf')) }),
    file: (tokens) =>
      part({ type: 'document', source: { type: 'file', file_id: `file_${nameOf(tokens)}` } }),
    search: (max_uses) => field({ tools: [{ ...messagesSearch, max_uses }] }),
    'unlimited search': () => field({ tools: [messagesSearch] }),
    'inference in the US': () => field({ inference_geo: 'us' }),
  },
  gemini: {
    image: (tokens) => part(fileData(addressOf(tokens, 'png'), 'image/png')),
    document: (tokens) => part(fileData(addressOf(tokens, 'pdf'), 'application/pdf')),
    file: (tokens) => part(fileData(`${googlesFiles}/${nameOf(tokens)}`, 'application/pdf')),
    stored: (tokens) => field({ cachedContent: `cachedContents/${nameOf(tokens)}` }),
    'unlimited search': () => field({ tools: [{ googleSearch: {} }] }),
  },
  embeddings: {},
  agent: {},
}

const linked = (url: string) => ({ type: 'url', url })

function fileData(fileUri: string, mimeType: string): object {
  return { fileData: { fileUri, mimeType } }
}

export function laterKindsOf(door: Door): LaterKind[] {
  // The keys of the table are its type's.
  return Object.keys(forms[door]) as LaterKind[]
}

export function laterFieldsOf(door: Door, later: Later | null): LaterFields {
  const write = later === null ? undefined : forms[door][later.kind]
  return write === undefined || later === null ? { parts: [], fields: {} } : write(later.amount)
}
