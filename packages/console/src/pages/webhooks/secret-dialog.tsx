import type { ComponentChildren } from 'preact'
import { Id } from '../../ui/id'
import { ShownOnce } from '../../ui/shown-once'

interface Props {
  title: string
  secret: string
  url: string
  children: ComponentChildren
  onClose(): void
}

/** The only time that an endpoint's secret is shown. */
export const SecretDialog = ({ title, secret, url, children, onClose }: Props) => (
  <ShownOnce title={title} note={`It is shown this once. Give it to whoever runs ${url}.`} onClose={onClose}>
    <Id value={secret} isWhole />
    {children}
  </ShownOnce>
)
