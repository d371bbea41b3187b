/** Questions about tools that turns wait for. The window shows them one after another, and answers them by id. */
import type {
  ApprovalDecision,
  QuestionValues,
  ToolApproval,
} from '../../shared/chat/tool-approvals.ts'

export interface ToolApprovalsOptions {
  newId: () => string
  /** Called with the open questions, oldest first, when one is added or answered. */
  onChanged: (open: readonly ToolApproval[]) => void
}

export interface Decided {
  decision: ApprovalDecision
  /** What a server's question is answered with. */
  values?: QuestionValues
  /** Which of the call's grants `within` is about. */
  grant?: number
}

interface Waiting {
  approval: ToolApproval
  decide: (decided: Decided) => void
}

export class ToolApprovals {
  readonly #options: ToolApprovalsOptions
  readonly #waiting = new Map<string, Waiting>()

  constructor(options: ToolApprovalsOptions) {
    this.#options = options
  }

  /** Oldest first. */
  list(): ToolApproval[] {
    return [...this.#waiting.values()].map(({ approval }) => approval)
  }

  /** Resolves to the user's decision. @throws the signal's reason */
  async ask(question: Omit<ToolApproval, 'id'>, signal: AbortSignal): Promise<Decided> {
    signal.throwIfAborted()
    const id = this.#options.newId()
    const { promise, resolve, reject } = Promise.withResolvers<Decided>()
    // The reason of an abort is an error.
    const stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
    this.#waiting.set(id, { approval: { ...question, id }, decide: resolve })
    this.#tell()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', stop)
      this.#waiting.delete(id)
      this.#tell()
    }
  }

  /** A question that a stop ended meanwhile is not answered any more. */
  decide(id: string, decided: Decided): void {
    this.#waiting.get(id)?.decide(decided)
  }

  #tell(): void {
    this.#options.onChanged(this.list())
  }
}
