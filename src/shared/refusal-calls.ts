import { call } from './ipc-call.ts'
import {
  refusalListSchema,
  refusalQuerySchema,
  type RefusalCount,
  type RefusedRequest,
} from './refusal.ts'

/** Requests refused before a model was tried: their counts by kind, and the newest ones. */
export const refusalCalls = {
  'refusals:counts': call(refusalQuerySchema).returns<RefusalCount[]>(),
  'refusals:newest': call(refusalListSchema).returns<RefusedRequest[]>(),
}
