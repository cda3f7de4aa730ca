import type { VNode } from 'preact'
import { Button } from './button'
import { Empty } from './states'

/** The parameters of a page's path. */
export interface RouteParams {
  params: Readonly<Record<string, string>>
}

type Module<Props> = { default: (props: Props) => VNode }

/**
 * Loads a page's script, and its `style` if given, with one retry. A new version of the console no longer has the files of
 * the old one: `otherwise` says so.
 */
export async function loadPage<Props = RouteParams>(
  load: () => Promise<Module<Props>>,
  style?: () => Promise<void>,
  otherwise: () => VNode = NotLoaded,
): Promise<Module<Props>> {
  const both = async () => (await Promise.all([load(), style?.()]))[0]
  try {
    return await both()
  } catch {
    return await both().catch(() => ({ default: otherwise }))
  }
}

export function NotLoaded() {
  return (
    <Empty icon="alert" title="This page could not be loaded">
      <p>The console may have been updated, or the gateway cannot be reached.</p>
      <Button onClick={() => location.reload()}>Load the console again</Button>
    </Empty>
  )
}
