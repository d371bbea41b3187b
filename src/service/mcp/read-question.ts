/** A server's question to the person (elicitation), within limits, in the form that the window shows. */
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { z } from 'zod'
import type {
  QuestionField,
  QuestionValues,
  ServerQuestion,
} from '../../shared/chat/tool-approvals.ts'
import { limits } from './limits.ts'
import { visible } from './tool-list.ts'

/** Asks the person; null when they decline. @throws when the call ends or is stopped meanwhile */
export type AskPerson = (
  question: ServerQuestion,
  ended: AbortSignal,
) => Promise<QuestionValues | null>

const text = z.string().max(500)
const choice = z.object({ const: text, title: text })
const titledChoices = z.array(choice).min(1).max(100)
const names = z.array(text).min(1).max(100)

/** Every kind of field that the protocol has. A schema with anything else is declined. */
const fieldSchema = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  title: text.optional(),
  description: text.optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  enum: names.optional(),
  enumNames: names.optional(),
  oneOf: titledChoices.optional(),
  items: z.object({ enum: names.optional(), anyOf: titledChoices.optional() }).optional(),
  default: z.union([text, z.number(), z.boolean(), z.array(text)]).optional(),
})

const questionSchema = z.object({
  message: z.string().max(limits.questionCharacters),
  mode: z.enum(['form', 'url']).default('form'),
  url: z
    .url({ protocol: /^https$/ })
    .max(limits.questionCharacters)
    .optional(),
  requestedSchema: z
    .object({
      properties: z.record(z.string().max(100), fieldSchema),
      required: z.array(z.string()).default([]),
    })
    .optional(),
})

/** @returns null for a question that is too large or in no form that the window can show */
export function readQuestion({ params }: ElicitRequest, server: string): ServerQuestion | null {
  const { data: read } = questionSchema.safeParse(params)
  if (!read) return null
  const { message, mode, url = null, requestedSchema } = read
  const about = { kind: 'question' as const, server, message: visible(message) }
  if (mode === 'url') return url === null ? null : { ...about, fields: [], url }
  const { properties = {}, required = [] } = requestedSchema ?? {}
  const entries = Object.entries(properties)
  if (entries.length > limits.questionFields) return null
  const fields = entries.map(([name, field]) => fieldOf(name, field, required.includes(name)))
  return { ...about, fields, url: null }
}

type Field = z.output<typeof fieldSchema>

function fieldOf(name: string, field: Field, isRequired: boolean): QuestionField {
  const { type, title = name, description = '', format = null, default: initial = null } = field
  const choices = choicesOf(field)
  return {
    name,
    kind: type === 'string' && choices.length > 0 ? 'choice' : type,
    label: visible(title),
    hint: visible(description),
    format,
    isRequired,
    choices,
    initial,
    minimum: field.minimum ?? field.minLength ?? null,
    maximum: field.maximum ?? field.maxLength ?? null,
  }
}

/** The protocol has four ways to say them, with titles and without. */
function choicesOf({ enum: values, enumNames, oneOf, items }: Field): QuestionField['choices'] {
  const titled = oneOf ?? items?.anyOf
  if (titled) return titled.map((one) => ({ value: one.const, label: visible(one.title) }))
  return (values ?? items?.enum ?? []).map((value, at) => {
    return { value, label: visible(enumNames?.[at] ?? value) }
  })
}

/** Answers the questions of one call: a few, and none after the person declined one. */
export function answerQuestions(server: string, ask: AskPerson) {
  let left: number = limits.questionsPerCall
  return async (request: ElicitRequest, ended: AbortSignal): Promise<ElicitResult> => {
    const question = readQuestion(request, server)
    if (question === null || left === 0) return { action: 'decline' }
    left -= 1
    const values = await ask(question, ended)
    if (values === null) {
      left = 0
      return { action: 'decline' }
    }
    return question.url === null ? { action: 'accept', content: values } : { action: 'accept' }
  }
}
