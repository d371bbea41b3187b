/** Bedrock's hosts. Each region has one for answers and one for lists; a VPC endpoint or a gateway may replace them. */

const defaultRegion = 'us-east-1'
const awsHost =
  /^(?<endpoint>[\w-]+\.)?bedrock-runtime(?<variant>-fips)?\.(?<region>[a-z0-9-]+)\.(?<end>(?:vpce\.)?amazonaws\.com(?:\.cn)?)$/

export interface BedrockAddress {
  /** Base URL for `Converse`. */
  runtimeUrl: string
  /** Base URL for lists of models. A gateway is expected to serve both. */
  controlUrl: string
  /** AWS region, for the signature. */
  region: string
}

/** @param region  the option; undefined takes the region from the address */
export function addressIn(baseUrl: string, region: string | undefined): BedrockAddress {
  const parts = awsHost.exec(new URL(baseUrl).hostname)?.groups
  if (parts === undefined) {
    return { runtimeUrl: baseUrl, controlUrl: baseUrl, region: region ?? defaultRegion }
  }
  const { endpoint, variant = '', end = '' } = parts
  // A VPC endpoint belongs to one region.
  const place = (endpoint === undefined ? region : undefined) ?? parts['region'] ?? defaultRegion
  return {
    runtimeUrl:
      endpoint === undefined ? `https://bedrock-runtime${variant}.${place}.${end}` : baseUrl,
    controlUrl: `https://bedrock${variant}.${place}.${end.replace('vpce.', '')}`,
    region: place,
  }
}
