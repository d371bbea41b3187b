import type { PreparedConversation } from './prepare.ts'

/** Counts what the other program has and Modelport does not keep. */
export class Losses {
  #archived = 0
  #projects = new Set<string>()
  #tags = new Set<string>()
  #files = 0

  add({ isArchived, project, tags }: PreparedConversation): void {
    if (isArchived) this.#archived += 1
    if (project !== null) this.#projects.add(project)
    for (const tag of tags) this.#tags.add(tag)
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
    ].flat()
  }
}

function counted(count: number, words: { one: string; many: string }): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? words.one : words.many}`]
}
