import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ProviderInput, ProviderTest } from '../../../../../shared/entities.ts'
import type {
  ProviderType,
  VendorDocumentation,
} from '../../../../../shared/models/provider-type.ts'
import { Button } from '../../../components/button.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { ErrorNote, Note } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { readSecret, SecretField, useSecretField } from '../../../components/secret-field.tsx'
import { useAction } from '../../../components/use-action.ts'
import { errorBeside, errorOf, type CallError } from '../../../stores/client.ts'
import { addTestedProvider, addUntestedProvider, useProviders } from '../../../stores/providers.ts'
import { AddressFields, type TypedAddress } from '../address-fields.tsx'
import { ProviderOptions, toOptions, type TypedOptions } from '../provider-options.tsx'
import type { AddedProvider } from './added-provider.ts'
import { t } from '../../../../../shared/strings/strings.ts'
import { rich } from '../../../components/rich.tsx'
import { Form } from '../../../components/form.tsx'

const fields = ['id', 'type', 'baseUrl', 'privateNetwork', 'options', 'apiKey'] as const

interface ConnectStepProps {
  type: ProviderType
  onBack: () => void
  onAdded: (added: AddedProvider) => void
  onAddedUntested: () => void
}

/** Asks for the key, and the address of an own server. A pasted key is tested at once. */
export function ConnectStep({ type, onBack, onAdded, onAddedUntested }: ConnectStepProps) {
  const providers = useProviders((state) => state.items)
  const [id, setId] = useState(() => freeId(type.type, providers ?? []))
  const [address, setAddress] = useState<TypedAddress>({ baseUrl: '', isPrivate: false })
  const [typed, setTyped] = useState<TypedOptions>({})
  const [failure, setFailure] = useState<FailedTest | null>(null)
  const key = useSecretField()
  useEffect(() => key.current?.focus(), [key])

  /** What was typed stays in the form, the key too, until a provider is added. */
  function input(): ProviderInput {
    const apiKey = readSecret(key)
    const baseUrl = address.baseUrl.trim()
    return {
      id: id.trim(),
      type: type.type,
      ...(baseUrl !== '' || type.baseUrl === null ? { baseUrl } : {}),
      privateNetwork: address.isPrivate,
      options: toOptions(type.options, typed),
      ...(apiKey === '' ? {} : { apiKey }),
    }
  }
  const testing = useAction(async () => {
    setFailure(null)
    const { provider, test } = await addTestedProvider(input())
    if (!test.ok) setFailure(test)
    else if (provider) onAdded({ provider, listed: test.models })
  })
  const saving = useAction(async () => {
    await addUntestedProvider(input())
    onAddedUntested()
  })
  const error = testing.error ?? saving.error
  const hasAddress = type.baseUrl !== null || address.baseUrl.trim() !== ''
  return (
    <Form onSubmit={() => testing.run()}>
      {type.isSelfHosted && (
        <AddressFields
          {...{ type, address }}
          onType={setAddress}
          error={errorOf(error, 'baseUrl') ?? errorOf(error, 'privateNetwork')}
        />
      )}
      {type.keyRule !== 'none' && (
        <SecretField
          label={type.keyRule === 'optional' ? t('Key (optional)') : t('Key')}
          hint={<KeyHint type={type} />}
          error={errorOf(error, 'apiKey') ?? keyError(failure)}
          field={key}
          {...(hasAddress ? { onPasted: testing.run } : {})}
        />
      )}
      <MoreFields
        {...{ type, id, address, typed, error }}
        onId={setId}
        onAddress={setAddress}
        onTyped={setTyped}
      />
      {error && errorBeside(error, fields) && <ErrorNote error={error} />}
      {failure && keyError(failure) === null && <Note kind="bad">{failure.message}</Note>}
      <Buttons
        isTesting={testing.isRunning}
        isSaving={saving.isRunning}
        onBack={onBack}
        onAddAnyway={failure && saving.run}
      />
    </Form>
  )
}

interface ButtonsProps {
  isTesting: boolean
  isSaving: boolean
  onBack: () => void
  /** Null until a test has failed. */
  onAddAnyway: (() => void) | null
}

function Buttons({ isTesting, isSaving, onBack, onAddAnyway }: ButtonsProps) {
  const isRunning = isTesting || isSaving
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Button look="quiet" onClick={onBack}>
        <ArrowLeft size={15} aria-hidden /> {t('All providers')}
      </Button>
      <span className="flex gap-2">
        {onAddAnyway && (
          <Button disabled={isRunning} onClick={onAddAnyway}>
            {t('Add anyway')}
          </Button>
        )}
        <Button look="primary" type="submit" disabled={isRunning}>
          {isTesting ? t('Testing…') : t('Test and add')}
        </Button>
      </span>
      <p role="status" className="sr-only">
        {isTesting && t('Testing the connection…')}
      </p>
    </div>
  )
}

type FailedTest = Extract<ProviderTest, { ok: false }>

/** The message for the key's field; null when the failure is not about the key. */
function keyError(failure: FailedTest | null): string | null {
  const isAboutKey = failure?.problem === 'key_rejected' || failure?.problem === 'key_missing'
  return isAboutKey ? failure.message : null
}

/** `openai`, or `openai-2` while there is an `openai`. */
function freeId(type: string, providers: readonly { id: string }[]): string {
  const taken = new Set(providers.map(({ id }) => id))
  for (let nth = 1; ; nth += 1) {
    const id = nth === 1 ? type : `${type}-${nth}`
    if (!taken.has(id)) return id
  }
}

function KeyHint({ type: { keyUrl } }: { type: ProviderType }) {
  return (
    <>
      {t('Stays in your keychain and is never shown again.')}{' '}
      {keyUrl !== null &&
        rich('Get one at {outsideLink}', {
          outsideLink: <OutsideLink address={keyUrl}>{new URL(keyUrl).host}</OutsideLink>,
        })}
    </>
  )
}

interface MoreFieldsProps {
  type: ProviderType
  id: string
  address: TypedAddress
  typed: TypedOptions
  error: CallError | null
  onId: (id: string) => void
  onAddress: (address: TypedAddress) => void
  onTyped: (typed: TypedOptions) => void
}

/** What most people leave as it is. */
function MoreFields(props: MoreFieldsProps) {
  const { type, id, address, typed, error, onId, onAddress, onTyped } = props
  return (
    <Disclosure
      title={t('More')}
      remark={id}
      hasError={error !== null && errorBeside(error, ['id', 'baseUrl', 'options']) === null}
    >
      <TextField
        label={t('Id')}
        hint={t('Prefix of its models, as in id:model. Use lower-case letters, digits and dashes.')}
        value={id}
        error={errorOf(error, 'id') ?? errorOf(error, 'type')}
        onChange={(event) => onId(event.target.value)}
      />
      {!type.isSelfHosted && (
        <AddressFields
          {...{ type, address }}
          onType={onAddress}
          error={errorOf(error, 'baseUrl') ?? errorOf(error, 'privateNetwork')}
        />
      )}
      <ProviderOptions
        options={type.options}
        typed={typed}
        onType={onTyped}
        error={errorOf(error, 'options')}
      />
      {type.documentation && <DocumentationNote {...type.documentation} />}
    </Disclosure>
  )
}

function DocumentationNote({ url, comparedAt }: VendorDocumentation) {
  return (
    <p className="text-xs text-muted">
      <OutsideLink address={url}>{t('API documentation')}</OutsideLink>
      {' · '}
      {comparedAt === null
        ? t('unverified: not compared with this page yet')
        : t('compared on {comparedAt}', { comparedAt })}
    </p>
  )
}
