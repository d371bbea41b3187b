/**
 * The two forms of an Azure OpenAI address. In the newer one, `…/openai/v1`, the deployment is the body's `model`;
 * in the older one it is in the path, `…/openai/deployments/NAME`, and each request names an `api-version`.
 */

/** The newest dated version that is not a preview. */
const latestDatedVersion = '2024-10-21'

export interface AzureAddress {
  /** Address with `/openai/v1` or `/openai` at its end. */
  baseUrl: string
  /** Address of the resource, without that ending. */
  resource: string
  hasDeploymentInPath: boolean
  /** Null when requests need none. */
  apiVersion: string | null
}

const forms = /^(?<prefix>.*?)(?:\/openai(?<form>\/v1|\/deployments)?(?:\/.*)?)?$/

/**
 * @param baseUrl  of a resource or of one of its deployments, as Azure's pages show it
 * @param apiVersion  the option, which chooses the older form for a resource's bare address
 */
export function azureAddress(baseUrl: string, apiVersion: string | undefined): AzureAddress {
  const { origin, pathname } = new URL(baseUrl)
  const { prefix = '', form } = forms.exec(pathname.replace(/\/+$/, ''))?.groups ?? {}
  const resource = origin + prefix
  const isOlder = form === '/deployments' || (form === undefined && apiVersion !== undefined)
  return isOlder
    ? {
        baseUrl: `${resource}/openai`,
        resource,
        hasDeploymentInPath: true,
        apiVersion: apiVersion ?? latestDatedVersion,
      }
    : {
        baseUrl: `${resource}/openai/v1`,
        resource,
        hasDeploymentInPath: false,
        apiVersion: apiVersion ?? null,
      }
}
