import type { LostPart } from './imported.ts'
import type { PreparedConversation } from './prepare.ts'

const partWords: readonly { part: LostPart; one: string; many: string }[] = [
  {
    part: 'figures',
    one: 'answer loses its cost and its other figures.',
    many: 'answers lose their costs and their other figures.',
  },
  {
    part: 'calls',
    one: 'answer called tools. The calls are listed below it, and models do not read them again.',
    many: 'answers called tools. The calls are listed below them, and models do not read them again.',
  },
  {
    part: 'citations',
    one: 'answer loses the places at which it cites its sources. The sources are kept.',
    many: 'answers lose the places at which they cite their sources. The sources are kept.',
  },
  {
    part: 'origin',
    one: 'conversation loses its router, agent, preset or folder.',
    many: 'conversations lose their routers, agents, presets or folders.',
  },
  {
    part: 'tools',
    one: 'conversation had its tools on. They are off until you switch them on.',
    many: 'conversations had their tools on. They are off until you switch them on.',
  },
  {
    part: 'parameters',
    one: 'conversation has parameters that this version cannot read.',
    many: 'conversations have parameters that this version cannot read.',
  },
]

/** Counts what the other program has and Modelport does not keep. */
export class Losses {
  #archived = 0
  #projects = new Set<string>()
  #tags = new Set<string>()
  #files = 0
  readonly #parts = new Map<LostPart, number>()

  add({ isArchived, project, tags, lost = [] }: PreparedConversation): void {
    if (isArchived) this.#archived += 1
    if (project !== null) this.#projects.add(project)
    for (const tag of tags) this.#tags.add(tag)
    for (const part of lost) this.#parts.set(part, (this.#parts.get(part) ?? 0) + 1)
  }

  /** Files that the export names and does not contain, or that the chat cannot keep. */
  addFiles(count: number): void {
    this.#files += count
  }

  sentences(): string[] {
    return [
      counted(this.#files, {
        one: 'file is not in the export, or of a kind that the chat cannot keep. Its name is kept.',
        many: 'files are not in the export, or of a kind that the chat cannot keep. Their names are kept.',
      }),
      counted(this.#projects.size, {
        one: 'project has no name in the export. Its conversations are in the list.',
        many: 'projects have no name in the export. Their conversations are in the list.',
      }),
      counted(this.#tags.size, { one: 'tag is not kept.', many: 'tags are not kept.' }),
      counted(this.#archived, {
        one: 'archived conversation is in the list with the others.',
        many: 'archived conversations are in the list with the others.',
      }),
      ...partWords.map(({ part, ...words }) => counted(this.#parts.get(part) ?? 0, words)),
    ].flat()
  }
}

function counted(count: number, words: { one: string; many: string }): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? words.one : words.many}`]
}
