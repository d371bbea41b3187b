import { call, nothing } from '../ipc-call.ts'
import {
  refusalListSchema,
  refusalQuerySchema,
  type RefusalCount,
  type RefusedRequest,
} from './refusal.ts'
import {
  findingDismissalSchema,
  probeSettingSchema,
  type Finding,
  type ProbeSetting,
} from './finding.ts'
import { dismissalSchema, type UnexpectedCall } from './unexpected-call.ts'

/** Requests refused before a model was tried, by kind and the newest ones; calls that were not expected; and findings. */
export const refusalCalls = {
  'refusals:counts': call(refusalQuerySchema).returns<RefusalCount[]>(),
  'refusals:newest': call(refusalListSchema).returns<RefusedRequest[]>(),
  'unexpected:list': call(nothing).returns<UnexpectedCall[]>(),
  /** Says that they were expected. Resolves to whether there were any. */
  'unexpected:dismiss': call(dismissalSchema).returns<boolean>(),
  /** Findings about money and answers, also dismissed ones. */
  'findings:list': call(nothing).returns<Finding[]>(),
  /** Dismisses a finding, or opens it again. Resolves to whether there is such a finding. */
  'findings:dismiss': call(findingDismissalSchema).returns<boolean>(),
  /** Providers whose daily probe is on. */
  'findings:probes': call(nothing).returns<ProbeSetting[]>(),
  'findings:set-probe': call(probeSettingSchema).returns<void>(),
}
