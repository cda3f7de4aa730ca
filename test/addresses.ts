import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { freePort } from '@bursar/testing'

/** Free ports for these services, with the settings that name them; no other service can be reached. */
export async function freeAddresses(
  names: readonly ServiceName[],
): Promise<{ urls: ReadonlyMap<ServiceName, string>; settings: Record<string, string> }> {
  const urls = new Map<ServiceName, string>()
  const settings: Record<string, string> = {}
  for (const name of serviceNames) {
    // The discard port, where nothing answers.
    const port = names.includes(name) ? await freePort() : 9
    const word = services[name].slug.toUpperCase()
    urls.set(name, `http://127.0.0.1:${port}`)
    settings[`${word}_PORT`] = String(port)
    settings[`${word}_URL`] = `http://127.0.0.1:${port}`
  }
  return { urls, settings }
}
