import { call, nothing } from '../ipc-call.ts'
import {
  refusalListSchema,
  refusalQuerySchema,
  type RefusalCount,
  type RefusedRequest,
} from './refusal.ts'
import { dismissalSchema, type UnexpectedCall } from './unexpected-call.ts'

/** Requests refused before a model was tried, by kind and the newest ones; and calls that were not expected. */
export const refusalCalls = {
  'refusals:counts': call(refusalQuerySchema).returns<RefusalCount[]>(),
  'refusals:newest': call(refusalListSchema).returns<RefusedRequest[]>(),
  'unexpected:list': call(nothing).returns<UnexpectedCall[]>(),
  /** Says that they were expected. Resolves to whether there were any. */
  'unexpected:dismiss': call(dismissalSchema).returns<boolean>(),
}
