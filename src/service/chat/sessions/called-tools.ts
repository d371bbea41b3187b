/** The calls of a streamed answer: names, and the beginning of the arguments. */
import type { ChunkChoice } from '../../../shared/chat/chat.ts'
import type { CalledTool } from './step-class.ts'

const mostCharacters = 4_096

export class CalledTools {
  readonly calls: CalledTool[] = []

  /** Adds a chunk; one without calls costs a comparison. */
  add(choices: readonly ChunkChoice[]): void {
    for (const { delta } of choices) {
      for (const { index, function: called, custom } of delta.tool_calls ?? []) {
        const call = (this.calls[index] ??= { name: '', input: '' })
        call.name += called?.name ?? custom?.name ?? ''
        if (call.input.length < mostCharacters)
          call.input += called?.arguments ?? custom?.input ?? ''
      }
    }
  }
}

/** A call of a whole message, as it arrives or as it is given. */
interface NamedCall {
  function?: { name: string; arguments: string } | undefined
  custom?: { name: string; input: string } | undefined
}

export function callsOf(
  choices: readonly { message: { tool_calls?: readonly NamedCall[] | null | undefined } }[],
): CalledTool[] {
  return choices.flatMap(({ message }) =>
    (message.tool_calls ?? []).map(({ function: called, custom }) => ({
      name: called?.name ?? custom?.name ?? '',
      input: called?.arguments ?? custom?.input ?? '',
    })),
  )
}
