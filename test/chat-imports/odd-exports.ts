/**
 * Exports as ChatGPT writes them, and odder: shards, nodes without `children`, hidden nodes, deep chains, forks inside
 * answers, messages twice, times that go back, answers at the beginning. What should be there is known from the tree, not from the reader.
 */
import type { Chance } from '../agents/random.ts'

export interface ExpectedConversation {
  id: string
  /** The shown branch, from its beginning: texts of questions and answers. */
  path: string[]
  /** The texts of all questions and answers, in any order. */
  texts: string[]
}

export interface OddExport {
  shards: { name: string; conversations: unknown[] }[]
  expected: ExpectedConversation[]
}

interface Node {
  id: string
  parent: string | null
  children: string[]
  message: object | null
}

interface Turn {
  role: 'user' | 'assistant'
  text: string
  parent: Turn | null
  lastNode: string
}

export function oddExport(chance: Chance, conversations: number, deepest: number): OddExport {
  const made = Array.from({ length: conversations }, (_, at) =>
    oddConversation(chance, at, deepest),
  )
  const shards = 1 + chance.below(4)
  // One conversation stands in two shards, as after an export that was continued.
  const [twice] = made
  return {
    shards: Array.from({ length: shards }, (_, shard) => ({
      name: shards === 1 ? 'conversations.json' : `conversations-00${shard}.json`,
      conversations: [
        ...made.filter((__, at) => at % shards === shard).map(({ value }) => value),
        ...(shard === shards - 1 && twice ? [twice.value] : []),
      ],
    })),
    expected: made.map(({ expected }) => expected),
  }
}

class Tree {
  readonly nodes: Node[] = []
  readonly #chance: Chance
  readonly #name: string
  #steps = 0

  constructor(chance: Chance, name: string) {
    this.#chance = chance
    this.#name = name
  }

  add(parent: string | null, message: object | null): string {
    const id = `n${this.nodes.length}`
    this.nodes.push({ id, parent, children: [], message })
    this.nodes.find((node) => node.id === parent)?.children.push(id)
    return id
  }

  /** Sometimes a hidden node or a root without a message lies in between. */
  addHidden(parent: string | null): string | null {
    let last = parent
    while (this.#chance.isTrue(0.25)) {
      last = this.add(last, this.#chance.isTrue(0.3) ? null : hidden(`SECRET ${this.#steps}`))
    }
    return last
  }

  /** A question, or an answer of one to four steps of which one is visible. */
  addTurn(role: Turn['role'], parent: Turn | null): Turn {
    this.#steps += 1
    const text = `${role} ${this.#steps} of ${this.#name} says “ü, 漢, 🙂”`
    let last = this.addHidden(parent?.lastNode ?? null)
    if (role === 'assistant') {
      for (let step = this.#chance.below(4); step > 0; step -= 1) last = this.add(last, tool(step))
    }
    const lastNode = this.add(last, spoken(role, text, (1 + this.#chance.below(9)) * 1e8))
    return { role, text, parent, lastNode }
  }
}

function oddConversation(chance: Chance, at: number, deepest: number) {
  const tree = new Tree(chance, `c${at}`)
  const turns: Turn[] = [tree.addTurn(chance.isTrue(0.2) ? 'assistant' : 'user', null)]
  const count = chance.isTrue(0.1) ? deepest : 1 + chance.below(30)
  while (turns.length < count) {
    const isBranch = chance.isTrue(0.2)
    const parent = isBranch ? turns[chance.below(turns.length)] : turns.at(-1)
    if (parent) turns.push(tree.addTurn(parent.role === 'user' ? 'assistant' : 'user', parent))
  }
  const leaves = turns.filter((turn) => !turns.some(({ parent }) => parent === turn))
  const shown = leaves[chance.below(leaves.length)]
  const path: string[] = []
  for (let turn = shown ?? null; turn; turn = turn.parent) path.unshift(turn.text)
  const isBare = chance.isTrue(0.3)
  const entries = tree.nodes.map(({ children, ...node }): [string, object] => [
    node.id,
    isBare ? node : { ...node, children },
  ])
  const id = `c${at}`
  return {
    value: {
      id,
      title: chance.isTrue(0.2) ? null : `Title ${at}`,
      create_time: 1.7e9 + at,
      // The order of the map says nothing.
      mapping: Object.fromEntries(chance.isTrue(0.5) ? entries : entries.toReversed()),
      current_node: shown?.lastNode,
    },
    expected: { id, path, texts: turns.map(({ text }) => text) },
  }
}

function spoken(role: string, text: string, create_time: number) {
  return {
    author: { role },
    create_time,
    content: { content_type: 'text', parts: [text] },
    weight: 1,
    recipient: 'all',
    metadata: {},
  }
}

function tool(step: number) {
  return {
    ...spoken('assistant', '', 0),
    content: { content_type: 'code', text: `step ${step}` },
    recipient: 'python',
  }
}

function hidden(text: string) {
  return {
    ...spoken('user', text, 0),
    metadata: { is_visually_hidden_from_conversation: true },
  }
}
