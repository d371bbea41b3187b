/** The files that may import what opens connections; test/rules/connections.test.ts finds each opening in them. */
export const openingFiles: readonly string[] = [
  'src/main/code-preview.ts',
  'src/main/protocol.ts',
  'src/service/cli/own-endpoint.ts',
  'src/service/doctor/port.ts',
  'src/service/doctor/security/attack.ts',
  'src/service/doctor/security/authority-check.ts',
  'src/service/doctor/security/connection-attacks.ts',
  'src/service/local/outbound-fetch.ts',
  'src/service/providers/address-guard.ts',
  'src/service/providers/outbound.ts',
  'src/service/shared-state/valkey/connection.ts',
  'src/service/storage/postgres/configuration-channel.ts',
  'src/service/storage/postgres/connections.ts',
  'src/service/storage/postgres/value-types.ts',
  'src/service/telemetry/collector.ts',
]
