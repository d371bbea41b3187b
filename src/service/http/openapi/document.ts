/**
 * The description of a router's API in OpenAPI 3.1. The bodies of requests are the schemas that check them, so the two
 * cannot differ.
 */
import { z } from 'zod'
import { errorCodes, ServiceError } from '../../errors.ts'
import { requestForms, rulesOf } from '../answers/request-forms.ts'
import { answerSchemas, type AnswerName } from './answer-schemas.ts'
import { operations, type Operation } from './operations.ts'

/** @param routerUrl  `https://localhost:6778/api/router/<id>` */
export function openApiDocument(routerUrl: string): object {
  return {
    openapi: '3.1.0',
    ...Object.fromEntries([['info', title]]),
    servers: [{ url: routerUrl }],
    security: [{ bearer: [] }],
    paths,
    components,
  }
}

/** OpenAPI's `info`. */
const title = {
  title: 'Modelport',
  version: '1',
  description:
    'One router of Modelport: it picks the model for each request. Every address also works without /v1.',
}

function reference(kind: 'schemas' | 'headers' | 'responses' | 'parameters', name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}

function describedPaths(): object {
  const described: Record<string, object> = { ...documentPaths() }
  for (const operation of operations) {
    const { method, path, operationId, base } = operation
    const item = describe(operation)
    described[`${base ?? '/v1'}${path}`] = { [method]: { operationId, ...item } }
    if (base === undefined) described[path] = { [method]: item }
  }
  return described
}

function documentPaths(): Record<string, object> {
  const json = { 'application/json': { schema: { type: 'object' } } }
  const item = {
    summary: 'Returns this document',
    responses: { 200: { description: 'OpenAPI 3.1', content: json }, ...failures('') },
  }
  return { '/v1/openapi.json': { get: item }, '/openapi.json': { get: item } }
}

function describe(operation: Operation): object {
  const { summary, form, parameters = [], family } = operation
  return {
    summary,
    ...(family && { security: [{ bearer: [] }, { [keyOf[family]]: [] }] }),
    parameters: [...parameters, ...headerParameters(operation)],
    ...(form && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: reference('schemas', rulesOf(form).schemaName) } },
      },
    }),
    responses: { 200: success(operation), ...failures(family ?? '') },
  }
}

const keyOf = { Anthropic: 'anthropicKey', Either: 'anthropicKey', Google: 'googleKey' } as const

function success({ answers, stream }: Operation): object {
  return {
    description: stream === undefined ? 'The answer' : 'The answer, whole or streamed',
    headers: Object.fromEntries(
      Object.keys(answerHeaders).map((name) => [name, reference('headers', name)]),
    ),
    content: {
      'application/json': { schema: anyOf(answers) },
      ...(stream && {
        'text/event-stream': { schema: { type: 'string', description: stream } },
      }),
    },
  }
}

function anyOf([first, ...others]: readonly AnswerName[]): object {
  if (first === undefined) throw new Error('an operation has no answer')
  if (others.length === 0) return reference('schemas', first)
  return { anyOf: [first, ...others].map((name) => reference('schemas', name)) }
}

function headerParameters({ method, family }: Operation): object[] {
  return [
    ...(family && family !== 'Google' ? [reference('parameters', 'anthropicVersion')] : []),
    ...(method === 'post' ? [reference('parameters', 'preview')] : []),
    ...(method === 'post' ? [reference('parameters', 'conversation')] : []),
  ]
}

function failures(form: NonNullable<Operation['family']> | ''): Record<string, object> {
  const statuses = new Set(errorCodes.map((code) => new ServiceError(code, '').status))
  return Object.fromEntries(
    [...statuses].map((status) => [status, reference('responses', `${form}Error${status}`)]),
  )
}

function failureResponses(): Record<string, object> {
  const forms = [
    ['', reference('schemas', 'Error')],
    ['Anthropic', reference('schemas', 'AnthropicError')],
    ['Either', anyOf(['Error', 'AnthropicError'])],
    ['Google', reference('schemas', 'GoogleError')],
  ] as const
  const byStatus = new Map<number, string[]>()
  for (const code of errorCodes) {
    const { status } = new ServiceError(code, '')
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    forms.flatMap(([form, schema]) =>
      [...byStatus].map(([status, codes]) => [
        `${form}Error${status}`,
        { description: codes.join(', '), content: { 'application/json': { schema } } },
      ]),
    ),
  )
}

const answerHeaders: Readonly<Record<string, string>> = {
  'x-request-id': 'A UUIDv7',
  'openai-processing-ms': 'From a provider in OpenAI’s form: milliseconds',
  'x-ratelimit-limit-requests': 'Requests per day',
  'x-ratelimit-remaining-requests': 'Requests left today',
  'x-ratelimit-reset-requests': 'Time until 00:00 UTC, such as `6m0s`',
  'x-modelport-adjusted': 'Each parameter that was changed for the model, and how',
  'x-modelport-fallback': 'The first choice that failed and the reason, a dictionary of RFC 8941',
  'x-modelport-safety-model': 'The model that answers a coding agent’s checks of actions',
  'x-modelport-cache': '`hit` or `miss`, for a router with a response cache',
  'x-modelport-estimated': '`true` for an estimated count of tokens',
  'idempotent-replayed': '`true` for a repeated answer of an `Idempotency-Key`',
}

function headerParameter(name: string, description: string) {
  return { name, in: 'header', description, schema: { type: 'string' } }
}

const components = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'A key that begins with `mp_`' },
    anthropicKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    googleKey: { type: 'apiKey', in: 'header', name: 'x-goog-api-key' },
  },
  parameters: {
    anthropicVersion: headerParameter(
      'anthropic-version',
      'Sent by Anthropic’s clients; selects Anthropic’s form for models',
    ),
    preview: headerParameter('x-modelport-preview', '`true`: the decision without an answer'),
    conversation: headerParameter('x-modelport-conversation', 'Your name for the conversation'),
  },
  headers: Object.fromEntries(
    Object.entries(answerHeaders).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  ),
  schemas: {
    ...Object.fromEntries(
      Object.values(requestForms).map(({ schemaName, schema }) => [
        schemaName,
        withoutDialect(schema),
      ]),
    ),
    ...answerJsonSchemas(),
  },
  responses: failureResponses(),
}

/** Schemas that contain others of the document refer to them. */
function answerJsonSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(answerSchemas)) registry.add(schema, { id })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { uri, io: 'input' })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutDialect(schema)]),
  )
}

/** The document's own dialect and address apply. */
function withoutDialect({ $schema: _dialect, $id: _id, ...schema }: Header): object {
  return schema
}

interface Header {
  $schema?: unknown
  $id?: unknown
}

const paths = describedPaths()
