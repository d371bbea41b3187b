import {
  ruleBefore,
  withSubagentRule,
  type SubagentRule,
} from '../../../shared/routers/subagent-rule.ts'
import { t } from '../../../shared/strings/strings.ts'
import { updateRouter, useRouters } from './routers.ts'
import { showUndo } from './toasts.ts'

/**
 * Sends a type of subagent of a router to another router or model, with an undo that changes only this rule.
 * @throws CallError when the target cannot answer
 */
export async function makeSubagentRule(routerId: string, rule: SubagentRule): Promise<void> {
  const before = await setRule(routerId, rule)
  if (before === null) return
  showUndo(t('The rule is made. It applies to subagents that begin now.'), async () => {
    await setRule(routerId, before)
  })
}

/** @returns the rule that it replaced; null when the router is gone */
async function setRule(routerId: string, rule: SubagentRule): Promise<SubagentRule | null> {
  const router = useRouters.getState().items?.find(({ id }) => id === routerId)
  if (router === undefined) return null
  await updateRouter(routerId, withSubagentRule(router, rule))
  return ruleBefore(router, rule.type)
}
