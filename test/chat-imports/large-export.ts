/** Exports of ChatGPT of a chosen size; the same seed gives the same texts. */
import { seededRandom } from '../../training/reader/random.ts'

export interface ExportSize {
  conversations: number
  /** Of each conversation. */
  messages: number
  wordsOfMessage: number
}

interface ExportedNode {
  parent: string | null
  message: object
}

const syllables = 'ba de fi go hu ka le mi no pu ra se ti vo wu za che shi tra'.split(' ')
/** Every so many messages have it. */
const chineseEvery = 40
const chinese = '图书馆在公园旁边。'

export function largeExport(size: ExportSize, seed = 1): object[] {
  const random = seededRandom(seed)
  return Array.from({ length: size.conversations }, (_, at) =>
    conversationOf(`Conversation ${seed}.${at}`, size, random),
  )
}

/** One conversation, whose question five turns before the end was also asked differently: that branch ends with `Other end`. */
export function longConversation(title: string, size: Omit<ExportSize, 'conversations'>): object {
  const conversation = conversationOf(title, size, seededRandom(7))
  const fork = `n${size.messages - 11}`
  const { mapping } = conversation
  for (const [id, parent, role, text] of [
    ['other0', fork, 'user', 'And otherwise?'],
    ['other1', 'other0', 'assistant', 'Other end'],
  ] as const) {
    mapping[id] = node(parent, role, text)
  }
  mapping[`n${size.messages - 1}`] = node(`n${size.messages - 2}`, 'assistant', 'Shown end')
  return conversation
}

function conversationOf(
  title: string,
  { messages, wordsOfMessage }: Omit<ExportSize, 'conversations'>,
  random: () => number,
) {
  const nodes = Array.from({ length: messages }, (_, at) => {
    const text = textOf(at, wordsOfMessage, random)
    const role = at % 2 === 0 ? 'user' : 'assistant'
    return [`n${at}`, node(at === 0 ? null : `n${at - 1}`, role, text)] as const
  })
  const mapping: Record<string, ExportedNode> = Object.fromEntries(nodes)
  return { id: title, title, create_time: 1_793_000_000, current_node: `n${messages - 1}`, mapping }
}

function node(parent: string | null, role: 'user' | 'assistant', text: string): ExportedNode {
  return {
    parent,
    message: { author: { role }, content: { content_type: 'text', parts: [text] } },
  }
}

function textOf(at: number, words: number, random: () => number): string {
  const below = (count: number) => Math.floor(random() * count)
  const word = () =>
    Array.from({ length: 2 + below(3) }, () => syllables[below(syllables.length)]).join('')
  const text = Array.from({ length: words }, word).join(' ')
  const isListed = at % 6 === 1
  return [
    isListed ? `## ${text.slice(0, 30)}\n\n- **${word()}**\n- \`${word()}\`\n\n${text}` : text,
    at % chineseEvery === 1 ? chinese : '',
  ].join('\n')
}
