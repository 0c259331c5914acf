export interface ClusterOptions {
  /** Lines of postgresql.conf. */
  settings?: readonly string[];
  standbyOf?: Cluster;
  durable?: boolean;
  /** The lines of pg_hba.conf, instead of admitting everyone. */
  hba?: readonly string[];
}

export interface Cluster {
  readonly port: number;
  readonly host: string;
  readonly url: string;
  readonly log: string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  signal(name: NodeJS.Signals): void;
  promote(): Promise<void>;
  remove(): Promise<void>;
}

export function startCluster(options?: ClusterOptions): Promise<Cluster>;
