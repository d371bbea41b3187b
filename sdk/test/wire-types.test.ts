/**
 * The SDK's types repeat the wire's, because it may not import the service. The types here compare the two in
 * `tsc -b`; names that grow with the service are strings in the SDK, so that it can be older than the service.
 */
import { describe, expect, expectTypeOf, test } from 'vitest'
import { errorCodes } from '../../src/service/errors.ts'
import type { ExplainedExecution } from '../../src/service/agents/agent-call.ts'
import type { AgentMeta, RouterMeta } from '../../src/shared/chat.ts'
import type { ExplainedDetail } from '../../src/shared/request-detail.ts'
import { strategyNames } from '../../src/shared/strategies.ts'
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

describe('the type of _meta', () => {
  test('follows the model that a request names', () => {
    expectTypeOf<sdk.MetaFor<undefined>>().toEqualTypeOf<sdk.RouterMeta>()
    expectTypeOf<sdk.MetaFor<'auto'>>().toEqualTypeOf<sdk.RouterMeta>()
    expectTypeOf<sdk.MetaFor<'agent:summarise'>>().toEqualTypeOf<sdk.AgentMeta>()
    expectTypeOf<sdk.MetaFor<string>>().toEqualTypeOf<sdk.Meta>()
  })
})
