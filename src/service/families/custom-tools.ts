/** Custom tools of OpenAI's form, whose input is one text. Other vendors call them with one argument, `input`. */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { fieldsOf, stringOf } from '../json-fields.ts'

export function customToolNames({ tools }: ChatRequest): ReadonlySet<string> {
  const custom = (tools ?? []).filter(({ type }) => type === 'custom')
  return new Set(custom.flatMap((tool) => stringOf(fieldsOf(tool['custom'])['name']) ?? []))
}
