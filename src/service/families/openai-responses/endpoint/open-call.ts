import type { OutputItem, UnnumberedEvent } from '../form.ts'
import { toolInput } from '../../../json-fields.ts'
import { CustomInput } from './custom-input.ts'
import type { CallerTool } from '../../tool-names.ts'

type Status = 'in_progress' | 'completed' | 'incomplete'

interface OpenCallOptions {
  /** Position in the output. */
  place: number
  id: string
  /** The id that the call's result carries. */
  callId: string
  tool: CallerTool
}

/** A call of a function or a custom tool whose arguments are still arriving. */
export class OpenCall {
  readonly place: number
  readonly #options: OpenCallOptions
  readonly #custom: CustomInput | null
  #arguments = ''

  constructor(options: OpenCallOptions) {
    this.place = options.place
    this.#options = options
    this.#custom = options.tool.kind === 'custom' ? new CustomInput() : null
  }

  piece(text: string): UnnumberedEvent[] {
    if (this.#custom !== null) return this.#inputDelta(this.#custom.push(text))
    this.#arguments += text
    if (text === '' || this.#isSearch) return []
    return [{ type: 'response.function_call_arguments.delta', ...this.#address(), delta: text }]
  }

  end(): UnnumberedEvent[] {
    const custom = this.#custom
    if (custom !== null) {
      const rest = this.#inputDelta(custom.end())
      const done = { ...this.#address(), input: custom.input }
      return [...rest, { type: 'response.custom_tool_call_input.done', ...done }]
    }
    // A function without parameters may be called without arguments, which clients parse as JSON.
    if (this.#arguments === '') this.#arguments = '{}'
    if (this.#isSearch) return []
    const done = { ...this.#address(), arguments: this.#arguments }
    return [{ type: 'response.function_call_arguments.done', ...done }]
  }

  item(status: Status): OutputItem {
    const { id, callId, tool } = this.#options
    if (this.#isSearch) return this.#searchCall(status)
    const { name, namespace } = tool
    const called = { id, call_id: callId, name, ...(namespace === null ? {} : { namespace }) }
    if (this.#custom === null) {
      return { type: 'function_call', ...called, arguments: this.#arguments, status }
    }
    // The vendor sends a status, though its types have none.
    const call = { type: 'custom_tool_call', ...called, input: this.#custom.input, status } as const
    return call
  }

  /** The form has no events for the pieces of its arguments. */
  get #isSearch(): boolean {
    return this.#options.tool.kind === 'search'
  }

  #searchCall(status: Status): OutputItem {
    const { id, callId } = this.#options
    const call = { type: 'tool_search_call', id, call_id: callId, execution: 'client' } as const
    return { ...call, arguments: toolInput(this.#arguments), status }
  }

  #inputDelta(delta: string): UnnumberedEvent[] {
    if (delta === '') return []
    return [{ type: 'response.custom_tool_call_input.delta', ...this.#address(), delta }]
  }

  #address() {
    return { item_id: this.#options.id, output_index: this.place }
  }
}
