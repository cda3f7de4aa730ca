import { Age } from './time'

interface Props {
  at: string
  /** What happened or happens then, before it. */
  what?: string
}

/** `last success 3 min ago` */
export const Ago = ({ at, what = '' }: Props) => (
  <span>
    {what} <Age since={at} /> ago
  </span>
)

/** `again in 3 min` */
export const In = ({ at, what = '' }: Props) => (
  <span>
    {what} in <Age until={at} />
  </span>
)
