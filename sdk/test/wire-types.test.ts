/**
 * The SDKs repeat the wire's types, because they may not import the service. The types here compare the two in
 * `tsc -b`; names that grow with the service are strings in the SDK, so that it can be older than the service.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { errorCodes } from '../../src/service/errors.ts'
import type { ExplainedExecution } from '../../src/service/agents/agent-call.ts'
import { stepTraceSchema } from '../../src/shared/agents/agent.ts'
import { agentMetaSchema, type AgentMeta, type RouterMeta } from '../../src/shared/chat/chat.ts'
import {
  estimateSchema,
  excludedRecordSchema,
  explainedDetailSchema,
  rankedRecordSchema,
  type ExplainedDetail,
} from '../../src/shared/requests/detail.ts'
import { strategyNames } from '../../src/shared/routers/strategy-names.ts'
import { errorCodes as sdkErrorCodes } from '../src/errors.ts'
import type * as sdk from '../src/index.ts'
import { routerDecisions } from '../src/meta.ts'

/** Every path to a field, such as `ranked.[].estimate.quality`. */
type Paths<Value> = Value extends string | number | boolean | null | undefined
  ? never
  : Value extends readonly (infer Item)[]
    ? `[]` | `[].${Paths<Item>}`
    : { [Key in keyof Value & string]: Key | `${Key}.${Paths<Value[Key]>}` }[keyof Value & string]

describe('the SDK’s types have the fields of the wire', () => {
  test('_meta of a router and of an agent', () => {
    expectTypeOf<RouterMeta>().toExtend<sdk.RouterMeta>()
    expectTypeOf<Paths<Omit<sdk.RouterMeta, 'decision'>>>().toEqualTypeOf<Paths<RouterMeta>>()
    expectTypeOf<Omit<sdk.AgentMeta, 'decision'>>().toEqualTypeOf<AgentMeta>()
  })

  test('the decision of a router', () => {
    expectTypeOf<ExplainedDetail>().toExtend<sdk.RouterDecisionRecord>()
    expectTypeOf<Paths<sdk.RouterDecisionRecord>>().toEqualTypeOf<Paths<ExplainedDetail>>()
  })

  test('the steps of an agent', () => {
    expectTypeOf<ExplainedExecution>().toExtend<sdk.AgentDecisionRecord>()
    expectTypeOf<Paths<sdk.AgentDecisionRecord>>().toEqualTypeOf<Paths<ExplainedExecution>>()
  })
})

describe('the SDK’s lists', () => {
  test('have every error code and every strategy', () => {
    expect(sdkErrorCodes.toSorted()).toEqual(errorCodes.toSorted())
    expect(routerDecisions).toEqual([...strategyNames, 'pinned'])
  })
})

describe('the Python package', () => {
  const read = (file: string): string =>
    readFileSync(new URL(`../../sdk-python/src/modelport/${file}`, import.meta.url), 'utf8')

  /** The fields of a class, without its docstrings. */
  const fieldsOf = (file: string, name: string): string[] => {
    const [, body = ''] = read(file).split(new RegExp(String.raw`^class ${name}\(.+\n`, 'm'))
    const [own = ''] = body.split(/^\S/m)
    return [...own.matchAll(/^ {4}(\w+): /gm)].map(([, field = '']) => field)
  }

  test('has every error code, in the same order', () => {
    const [, list = ''] = /ErrorCode = Literal\[(.*?)\]/s.exec(read('_errors.py')) ?? []

    expect([...list.matchAll(/"(\w+)"/g)].map(([, code]) => code)).toEqual(sdkErrorCodes)
  })

  test.each([
    ['_meta.py', 'AgentMeta', [...Object.keys(agentMetaSchema.shape), 'decision']],
    ['_decision.py', 'RouterDecisionRecord', Object.keys(explainedDetailSchema.shape)],
    ['_decision.py', 'RankedModel', Object.keys(rankedRecordSchema.shape)],
    ['_decision.py', 'ExcludedModel', Object.keys(excludedRecordSchema.shape)],
    ['_decision.py', 'Estimate', Object.keys(estimateSchema.shape)],
    ['_decision.py', 'AgentStep', Object.keys(stepTraceSchema.shape)],
  ])('%s: %s has the fields of the wire', (file, name, fields) => {
    expect(fieldsOf(file, name).toSorted()).toEqual(fields.toSorted())
  })
})

describe('the type of _meta', () => {
  test('follows the model that a request names', () => {
    expectTypeOf<sdk.MetaFor<undefined>>().toEqualTypeOf<sdk.RouterMeta>()
    expectTypeOf<sdk.MetaFor<'auto'>>().toEqualTypeOf<sdk.RouterMeta>()
    expectTypeOf<sdk.MetaFor<'agent:summarise'>>().toEqualTypeOf<sdk.AgentMeta>()
    expectTypeOf<sdk.MetaFor<string>>().toEqualTypeOf<sdk.Meta>()
  })
})
