import type { Settings } from '../../../../shared/app/settings.ts'
import { signalKinds, signalNames, type SignalName } from '../../../../shared/requests/signals.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { saveSetting } from '../../stores/settings.ts'
import { t } from '../../../../shared/strings/strings.ts'

const texts: Readonly<Record<SignalName, { label: string; hint: string }>> = {
  format: {
    label: t('Requested JSON'),
    hint: t('A request asks for JSON, and the answer fits its schema or does not.'),
  },
  tool_call: {
    label: t('Tool calls'),
    hint: t('The arguments of a tool call match its definition or do not.'),
  },
  empty: { label: t('Empty answers'), hint: t('The answer has no text and no tool call.') },
  cut_off: {
    label: t('Answers that are cut off'),
    hint: t('The answer ends early, before the length that the request allows.'),
  },
  refused: {
    label: t('Refusals'),
    hint: t('The model refuses, or its provider filters the answer.'),
  },
  asked_again: {
    label: t('Repeated questions'),
    hint: t(
      'A program sends the same question within five minutes of its answer. Modelport keeps a hash of each question in memory for that time, never the question.',
    ),
  },
  step_repeated: {
    label: t('Repeated steps of agents'),
    hint: t('A step runs again because the answer failed its check.'),
  },
}

/** One switch for each thing that Modelport learns from answers without being told. */
export function SignalSettings({ settings }: { settings: Settings }) {
  const { run, error } = useAction((name: SignalName, isOn: boolean) =>
    saveSetting(signalKinds[name].setting, isOn),
  )
  return (
    <>
      <p className="text-sm text-muted">
        {t(
          'Routers with the strategy “adaptive” learn a little from each of these, without your rating. For this, Modelport stores sums by model and kind of prompt, never a prompt or an answer.',
        )}
      </p>
      {signalNames.map((name) => (
        <Checkbox
          key={name}
          label={texts[name].label}
          hint={`${texts[name].hint} ${weightsOf(name)}`}
          checked={settings[signalKinds[name].setting]}
          onChange={(isOn) => run(name, isOn)}
        />
      ))}
      {error && <ErrorNote error={error} />}
    </>
  )
}

/** `Counts as 0.3 of a bad answer, or 0.05 of a good one.` */
function weightsOf(name: SignalName): string {
  const { badWeight, goodWeight } = signalKinds[name]
  return goodWeight === null
    ? t('Counts as {badWeight} of a bad answer.', { badWeight })
    : t('Counts as {badWeight} of a bad answer, or {goodWeight} of a good one.', {
        badWeight,
        goodWeight,
      })
}
