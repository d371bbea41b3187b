/** Reads an option whose value a setting's schema checks. */
import { InvalidArgumentError } from 'commander'
import type { z } from 'zod'
import { inputMessage } from '../../shared/chat/input-messages.ts'
import { none } from './option-values.ts'

interface SettingReader<Value> {
  /** Explains what is wrong with a value of the right type. */
  schema: z.ZodType
  read: (text: string) => Value
  /** The word that unsets the setting. */
  absent?: string
}

/** Reads a value that the setting accepts, or `none`. */
export function readSetting<Value>({ schema, read, absent }: SettingReader<Value>) {
  return (text: string): Value | typeof none => {
    if (text === absent) return none
    const or = absent === undefined ? '' : ` It may also be ${absent}.`
    try {
      const value = read(text)
      const [issue] = schema.safeParse(value, { error: inputMessage }).error?.issues ?? []
      if (issue === undefined) return value
      throw new InvalidArgumentError(`${issue.message}.`)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      throw new InvalidArgumentError(`${error.message}${or}`)
    }
  }
}
