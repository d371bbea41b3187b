import { useState } from 'react'
import { otherSubagents } from '../../../../shared/routers/routing-settings.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { useRouters } from '../../stores/routers.ts'
import { useSubagentTargets } from '../routers/session-fields.tsx'
import { makeSubagentRule } from '../routers/subagent-rules.ts'

interface MakeRuleDialogProps {
  routerId: string
  /** Types of subagents that can be chosen. */
  types: readonly string[]
  /** The target that is chosen first; null for none. */
  target: string | null
  onClose: () => void
}

/** Makes a rule of the router: where a type of subagent goes. */
export function MakeRuleDialog({ routerId, types, target: first, onClose }: MakeRuleDialogProps) {
  const router = useRouters(({ items }) => items)?.find(({ id }) => id === routerId)
  const rules = router?.routing.subagents ?? {}
  const [type, setType] = useState(types[0] ?? otherSubagents)
  const [chosen, setChosen] = useState<string | null>(null)
  const target = chosen ?? rules[type] ?? first
  const choices = useSubagentTargets(routerId)
  const make = useAction(async () => {
    if (target === null) return
    await makeSubagentRule(routerId, { type, target })
    onClose()
  })
  return (
    <Dialog
      title={t('Make a rule')}
      description={t(
        'Where subagents of {router} go. One that runs keeps its model until it ends.',
        { router: router?.name ?? routerId },
      )}
      onClose={onClose}
    >
      <Form onSubmit={() => make.run()}>
        <Select
          label={t('Type of subagent')}
          choices={types.map((name) => ({
            value: name,
            label: name === otherSubagents ? t('All other types') : name,
          }))}
          value={type}
          onChange={setType}
        />
        <Select
          label={t('Router or model')}
          choices={choices}
          value={target}
          onChange={setChosen}
        />
        {make.error && <ErrorNote error={make.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            look="primary"
            type="submit"
            disabled={make.isRunning || target === null || router === undefined}
          >
            {t('Make rule')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
