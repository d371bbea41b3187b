import { useState } from 'react'
import type { Provider } from '../../../../shared/entities.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { NumberField } from '../../components/number-field.tsx'
import { readNumber } from '../../components/read-number.ts'
import { useAction } from '../../components/use-action.ts'
import { Form } from '../../components/form.tsx'
import { errorBeside, errorOf } from '../../stores/client.ts'
import { setProbe, useProbes } from '../../stores/findings.ts'

interface ProbeDialogProps {
  provider: Provider
  onClose: () => void
}

/** Switches a provider's daily probe on with a cap, or off. */
export function ProbeDialog({ provider: { id }, onClose }: ProbeDialogProps) {
  const known = useProbes((state) => state.items)?.find(({ providerId }) => providerId === id)
  const [cap, setCap] = useState(String(known?.capUsdPerDay ?? ''))
  const { run, isRunning, error } = useAction(async () => {
    await setProbe({ providerId: id, capUsdPerDay: readNumber(cap) })
    onClose()
  })
  return (
    <Dialog
      title={t('Daily probe of {id}', { id })}
      description={t(
        'Once a day, Modelport sends one short request to a model of this provider that a router uses, and compares the answer. It is off until you enter a cap.',
      )}
      onClose={onClose}
    >
      <Form onSubmit={() => run()}>
        <NumberField
          label={t('Most per day')}
          unit={t('US dollars')}
          hint={t('Empty turns the probe off. A probe that could cost more is not sent.')}
          value={cap}
          error={errorOf(error, 'capUsdPerDay')}
          onChange={setCap}
        />
        {error && errorBeside(error, ['capUsdPerDay']) && <ErrorNote error={error} />}
        <Button look="primary" type="submit" disabled={isRunning} className="self-end">
          {t('Save')}
        </Button>
      </Form>
    </Dialog>
  )
}
