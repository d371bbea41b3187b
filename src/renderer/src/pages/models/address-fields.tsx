import type { ProviderType } from '../../../../shared/models/provider-type.ts'
import { Disclosure } from '../../components/disclosure.tsx'
import { TextField } from '../../components/field.tsx'
import { t } from '../../../../shared/strings/strings.ts'

export interface TypedAddress {
  /** Empty: the address of the type. */
  baseUrl: string
  isPrivate: boolean
}

interface AddressFieldsProps {
  type: ProviderType
  address: TypedAddress
  onType: (address: TypedAddress) => void
  error: string | null
}

/** The base URL. Vendors have one of their own, so theirs is collapsed. */
export function AddressFields({ type, address, onType, error }: AddressFieldsProps) {
  const fields = (
    <div className="flex flex-col gap-3">
      <TextField
        label={t('Base URL')}
        hint={
          type.baseUrl === null
            ? t('Everything before /chat/completions, such as https://api.example.com/v1')
            : t('Everything before /chat/completions. Leave empty for the usual address.')
        }
        type="url"
        placeholder={type.baseUrl ?? undefined}
        value={address.baseUrl}
        error={error}
        onChange={(event) => onType({ ...address, baseUrl: event.target.value })}
      />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={address.isPrivate}
          onChange={(event) => onType({ ...address, isPrivate: event.target.checked })}
          className="accent-accent"
        />
        {t('On my private network')}
      </label>
    </div>
  )
  if (type.isSelfHosted) return fields
  return (
    <Disclosure
      title={t('Company gateway or region')}
      isOpenAtFirst={address.baseUrl !== ''}
      hasError={error !== null}
    >
      {fields}
    </Disclosure>
  )
}

/** Scheme, host and port: where keys for this address may be sent. Null while the address is incomplete. */
export function originOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).origin : null
}
