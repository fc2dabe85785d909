// Arguments: host:port, path of a service. Prints where its instances are, as their payload says, at each change.
// Commands: "create NODE VALUE", "remove NODE", "end".
const zookeeper = require('node-zookeeper-client');
const readline = require('readline');

const [address, path] = process.argv.slice(2);
const client = zookeeper.createClient(address);
const say = (what) => console.log(JSON.stringify(what));
const fail = (error) => {
  console.error(error);
  process.exit(1);
};

const read = (node) =>
  new Promise((resolve) =>
    client.getData(`${path}/${node}`, (error, data) => resolve(error ? null : JSON.parse(data.toString()).payload)),
  );

function list() {
  client.getChildren(path, list, async (error, nodes) => {
    if (error && error.getCode() === zookeeper.Exception.NO_NODE) {
      say({ instances: [] });
      client.exists(path, list, (missing) => missing && fail(missing));
      return;
    }
    if (error) {
      fail(error);
    }
    const payloads = await Promise.all(nodes.map(read));
    say({ instances: payloads.filter(Boolean).map(({ host, port, ssl }) => ({ host, port, ssl })) });
  });
}

async function main() {
  list();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [command, node, ...value] = line.split(' ');
    if (command === 'create') {
      const data = Buffer.from(value.join(' '));
      client.mkdirp(path, (error) => {
        if (error) {
          fail(error);
        }
        client.create(`${path}/${node}`, data, zookeeper.CreateMode.EPHEMERAL, (failed) => failed && fail(failed));
      });
    } else if (command === 'remove') {
      client.remove(`${path}/${node}`, (error) => error && fail(error));
    } else {
      break;
    }
  }
  process.exit(0);
}

client.once('connected', () => main().catch(fail));
client.connect();
