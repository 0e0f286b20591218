// A worker in a frame, for pages that are read from the disk: browsers allow no real one there.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data }));
      const script = frame.contentDocument.createElement("script");
      this.loaded = new Promise((resolve) => script.addEventListener("load", resolve));
      script.src = address;
      frame.contentDocument.body.append(script);
    }

    postMessage(data) {
      this.loaded.then(() =>
        this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })));
    }
  };
}
