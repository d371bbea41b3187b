import { Outlet } from '@tanstack/react-router'
import { PopupLayer } from '../components/popup-layer.tsx'
import { useDocumentLook } from '../components/theme.ts'
import { Approvals } from './approvals.tsx'
import { EndpointBanner } from './endpoint-banner.tsx'
import { Notices } from './notices.tsx'
import { Overlays } from './overlays.tsx'
import { Rail } from './rail.tsx'
import { StorageBanner } from './storage-banner.tsx'
import { useCommands } from './use-commands.ts'

/** The frame around every page. */
export function Shell() {
  useDocumentLook()
  useCommands()
  return (
    <div className="flex h-full">
      <Rail />
      <div className="relative flex min-w-0 flex-1 flex-col">
        <EndpointBanner />
        <StorageBanner />
        <div className="min-h-0 flex-1">
          <Outlet />
        </div>
        <Notices />
      </div>
      <PopupLayer />
      <Overlays />
      <Approvals />
    </div>
  )
}
