import {
  ruleBefore,
  withRule,
  withSubagentRule,
  type SubagentRule,
} from '../../../../shared/routers/subagent-rule.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { updateRouter, useRouters } from '../../stores/routers.ts'
import { showUndo } from '../../stores/toasts.ts'
import { keepIfChanged, useRouterDrafts } from './router-drafts.ts'
import { toRouterTexts } from './router-texts.ts'

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

/**
 * Sets the rule also in the router's draft, whose save would remove it again.
 * @returns the rule that it replaced; null when the router is gone
 */
async function setRule(routerId: string, rule: SubagentRule): Promise<SubagentRule | null> {
  const router = useRouters.getState().items?.find(({ id }) => id === routerId)
  if (router === undefined) return null
  const saved = await updateRouter(routerId, withSubagentRule(router, rule))
  const draft = useRouterDrafts.getState()[routerId]
  if (draft) {
    const subagents = withRule(draft['routing.subagents'], rule)
    keepIfChanged(routerId, { ...draft, 'routing.subagents': subagents }, toRouterTexts(saved))
  }
  return ruleBefore(router, rule.type)
}
