import { Download } from 'lucide-react'
import { t } from '../../../../shared/strings/strings.ts'
import { appliesToNames, type AppliesTo } from '../../../../shared/tuning/tuning.ts'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { Button } from '../../components/button.tsx'
import { downloadFile } from '../../components/download-file.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Card } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { useAction } from '../../components/use-action.ts'
import { applyRun, readJudgedPrompts } from '../../stores/tuning.ts'

interface LearnedCardProps {
  run: TuningRun
  notes: readonly string[]
}

/** What a run taught, and which routers learn from it. */
export function LearnedCard({ run, notes }: LearnedCardProps) {
  const { run: save, error } = useAction(async () => {
    const text = await readJudgedPrompts(run.id)
    downloadFile({ name: `tuning-${run.id}.jsonl`, type: 'application/jsonl', text })
  })
  return (
    <Card className="flex flex-col gap-3 text-sm">
      <ApplyTo run={run} />
      <ul className="flex list-disc flex-col gap-1 pl-4 text-muted">
        <li>
          {t('They fade by 2 % a week. Only numbers are stored, no word of a prompt or an answer.')}
        </li>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {error && <ErrorNote error={error} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => save()}>
          <Download size={14} aria-hidden /> {t('Export grades')}
        </Button>
        <span className="text-xs text-muted">
          {t('To make routing forget them, delete the run.')}
        </span>
      </div>
    </Card>
  )
}

function ApplyTo({ run }: { run: TuningRun }) {
  const { run: apply, error } = useAction((to: AppliesTo) => applyRun({ id: run.id, to }))
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <div className="min-w-52">
        <Select
          label={t('Apply to')}
          choices={appliesToNames.map((value) => ({ value, label: choiceLabel(value, run) }))}
          value={run.appliesTo}
          onChange={apply}
        />
      </div>
      <p role="status" className="max-w-prose flex-1 basis-72">
        {effectText(run)}
      </p>
      {error && <ErrorNote error={error} />}
    </div>
  )
}

function choiceLabel(to: AppliesTo, { routerName }: TuningRun): string {
  switch (to) {
    case 'all':
      return t('All routers')
    case 'router':
      return t('Only {routerName}', { routerName })
    case 'none':
      return t('No routers')
  }
}

function effectText({ appliesTo, routerName, prompts: { graded: count } }: TuningRun): string {
  switch (appliesTo) {
    case 'all':
      return t(
        'The grades of {count, plural, one {1 prompt} other {# prompts}} count for all routers with these models, whatever their strategy.',
        { count },
      )
    case 'router':
      return t(
        'The grades of {count, plural, one {1 prompt} other {# prompts}} count for {routerName}. Other routers decide as if this run had not been made.',
        { count, routerName },
      )
    case 'none':
      return t(
        'The grades of {count, plural, one {1 prompt} other {# prompts}} are stored, and no router uses them. All decide as if this run had not been made.',
        { count },
      )
  }
}
