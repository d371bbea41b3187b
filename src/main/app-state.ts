import { app } from 'electron'
import type { Service } from '../service/service.ts'
import type { AppState } from '../shared/app/app-state.ts'

/** The state of the app as a whole, for the window's frame. */
export function appState(service: Service): AppState {
  return {
    version: app.getVersion(),
    dataDir: app.getPath('userData'),
    homeDir: app.getPath('home'),
    systemLocale: app.getSystemLocale(),
    endpoint: service.endpoint(),
    isPaused: service.isPaused(),
    secrets: service.secrets.state(),
    certificate: service.certificateEnds(),
    storage: service.storageState(),
    localModel: service.localModel.state(),
    mustTrustAgain: service.trust.mustTrustAgain(),
    refusedOrigins: service.refusedOrigins(),
  }
}
