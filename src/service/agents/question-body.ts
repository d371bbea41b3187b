/** A step's request as the body of a chat completion. */
import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import type { Model } from '../../shared/entities.ts'
import { makesEmbeddings } from '../../shared/models/model-abilities.ts'
import type { ModelQuestion } from './model-question.ts'

/** @param models  the router's models */
export function questionBody(
  question: ModelQuestion,
  models: readonly Pick<Model, 'id' | 'capabilities'>[],
): ChatRequest {
  const { ask, json, user, refused, onText, stepId } = question
  const { model, temperature, max_tokens } = ask
  const chatting = models.filter((one) => !makesEmbeddings(one))
  const form = json && jsonForm(chatting.filter(({ id }) => model === undefined || id === model))
  const system = systemText(question, form)
  const messages: ChatMessage[] = [
    ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
    { role: 'user', content: user },
    ...(refused ? repair(refused) : []),
  ]
  return {
    messages,
    ...(model === undefined ? {} : { model }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(max_tokens === undefined ? {} : { max_tokens }),
    ...(onText ? { stream: true } : {}),
    ...(json && form ? responseFormat(form, { json, stepId }) : {}),
  }
}

/** How to get JSON from the models: by schema, as any JSON object, or by instructions in the prompt. */
type JsonForm = 'schema' | 'object' | 'words'

/** The schema if all models support it. Otherwise an object if at least one does, and only those are used. */
function jsonForm(models: readonly Pick<Model, 'capabilities'>[]): JsonForm {
  const can = ({ capabilities }: Pick<Model, 'capabilities'>) => ({
    schema: capabilities.includes('json'),
    object: capabilities.includes('json') || capabilities.includes('json_object'),
  })
  if (models.length > 0 && models.every((model) => can(model).schema)) return 'schema'
  return models.some((model) => can(model).object) ? 'object' : 'words'
}

function systemText({ system, json }: ModelQuestion, form: JsonForm | null): string | null {
  if (!json || form === 'schema') return system
  const instruction = `Answer with JSON alone, an object that fits this JSON Schema: ${JSON.stringify(json.schema)}`
  return system === null ? instruction : `${system}\n\n${instruction}`
}

function repair({ answer, problem }: NonNullable<ModelQuestion['refused']>): ChatMessage[] {
  return [
    { role: 'assistant', content: answer },
    {
      role: 'user',
      content: `Your answer does not fit the schema: ${problem}. Answer again, with the corrected JSON alone.`,
    },
  ]
}

function responseFormat(
  form: JsonForm,
  { json, stepId }: { json: NonNullable<ModelQuestion['json']>; stepId: string },
): Pick<ChatRequest, 'response_format'> {
  if (form === 'words') return {}
  if (form === 'object') return { response_format: { type: 'json_object' } }
  // The wire allows no slash and at most 64 characters.
  const name = stepId.replaceAll('/', '-').slice(-64)
  return { response_format: { type: 'json_schema', json_schema: { name, schema: json.schema } } }
}
