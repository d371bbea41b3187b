import type { TrustState, TrustStoreState } from '../../src/shared/app/trust.ts'
import { found, type HandlersOf } from './handlers.ts'

const caFile = '/home/user/.config/Modelport/tls/ca.pem'
const file = '/usr/local/share/ca-certificates/modelport-3fa91c07.crt'

function store(over: Partial<TrustStoreState> & { id: string; name: string }): TrustStoreState {
  const database = `certutil -d sql:/home/user/.pki/nssdb`
  return {
    isTrusted: false,
    hasOutdated: false,
    trustCommands: [`${database} -A -t C,, -n 'Modelport 3fa91c07' -i ${caFile}`],
    untrustCommands: [`${database} -D -n 'Modelport 3fa91c07'`],
    obstacle: null,
    ...over,
  }
}

/** A computer with Debian, Chromium and Firefox. */
export function trustHandlers(): HandlersOf<`trust:${string}`> {
  let stores = [
    store({
      id: 'system',
      name: 'System store',
      trustCommands: [`install -m 0644 ${caFile} ${file}`, '/usr/sbin/update-ca-certificates'],
      untrustCommands: [`rm -f ${file}`, '/usr/sbin/update-ca-certificates'],
      obstacle: 'administrator',
    }),
    store({ id: 'chromium', name: 'Chromium, Chrome and Edge', isTrusted: true }),
    store({ id: 'firefox-a1b2c3d4.default', name: 'Firefox, profile a1b2c3d4.default' }),
  ]
  const state = (): TrustState => ({
    fingerprint: Array.from({ length: 32 }, (_, index) =>
      ((index * 37 + 63) % 256).toString(16).toUpperCase().padStart(2, '0'),
    ).join(':'),
    createdAtMs: Date.now() - 86_400_000,
    mustTrustAgain: false,
    stores,
  })
  return {
    'trust:state': state,
    'trust:change': ({ store: id, isTrusted }) => {
      const changed = { ...found(stores, id), isTrusted, hasOutdated: false }
      stores = stores.map((each) => (each.id === id ? changed : each))
      return state()
    },
  }
}
